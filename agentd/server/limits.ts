import { HEARTBEAT_MS } from '../../shared/protocol.ts'

/** Bounds that keep one client, or one stranger on the network, from taking the host away from the others. */
export interface ServerLimits {
  /** Open WebSockets per listener. */
  maxConnections: number
  /** From the first byte of a connection to its upgrade. */
  handshakeMs: number
  /** From the upgrade to `hello`. */
  helloDeadlineMs: number
  /** Unreadable messages after which a connection is closed. */
  badFrames: number
  /** Calls that one connection may have running. */
  runningCalls: number
  /** Above this much unsent data nothing more is read from the database for a client. */
  outboundHighBytes: number
  /** Above this much unsent data nothing more is read from the client. */
  inboundPauseBytes: number
  /** A client that takes nothing for so long while data waits for it is closed. */
  drainTimeoutMs: number
  heartbeatMs: number
  /** How long running calls may take to end when agentd stops. */
  stopGraceMs: number
  /** Wrong tokens from one address within the window after which it has to wait. */
  authFailures: number
  authWindowMs: number
  eventsPerFrame: number
  eventFrameBytes: number
  /** Ended tasks in a snapshot, newest first; open ones are always in it. */
  snapshotEndedTasks: number
  /** An acknowledgement is written down at the latest after this. */
  ackDelayMs: number
}

/** The limits agentd runs with; tests shorten the times. */
export const defaultLimits: ServerLimits = {
  maxConnections: 512,
  handshakeMs: 10_000,
  helloDeadlineMs: 10_000,
  badFrames: 20,
  runningCalls: 64,
  outboundHighBytes: 1024 * 1024,
  inboundPauseBytes: 4 * 1024 * 1024,
  drainTimeoutMs: 60_000,
  heartbeatMs: HEARTBEAT_MS,
  stopGraceMs: 3_000,
  authFailures: 10,
  authWindowMs: 60_000,
  eventsPerFrame: 256,
  eventFrameBytes: 256 * 1024,
  snapshotEndedTasks: 2_000,
  ackDelayMs: 100,
}
