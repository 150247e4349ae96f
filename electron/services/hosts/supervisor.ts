import type { AppError } from '../../../shared/errors.ts'
import type { HostAddress } from '../../../shared/node/host-client/address.ts'
import type { BackoffLimits } from '../../../shared/node/host-client/backoff.ts'
import type { HostConnection, Notice, Welcome } from '../../../shared/node/host-client/connection.ts'
import type { Call } from '../../../shared/node/host-client/pending-calls.ts'
import {
  createHostLink,
  type HostLink,
  type LinkState,
} from '../../../shared/node/host-client/reconnecting.ts'
import type { SshOptions } from '../../../shared/node/host-client/ssh-bridge.ts'
import type { HostState } from '../../../shared/ipc/views.ts'
import { notConnected, notKept } from './host-errors.ts'
import type { HostRecord } from './host-records.ts'
import { afterPart, createSituation } from './host-state.ts'
import type { HostTokens, ShownToken } from './host-tokens.ts'
import type { LocalAgentd } from './local-agentd.ts'
import { createPairing } from './pairing.ts'
import type { DeskPlatform } from '../platform.ts'
import type { HostSink } from './types.ts'

/** How long a host may take to give the sign of life that `wake` asks for. */
const VERIFY_MS = 3_000
/** After the desk itself could not keep what a host told. */
const KEEP_AGAIN_MS = 5_000

/** What one supervisor needs. */
export interface SupervisorNeeds {
  name: string
  address: HostAddress
  localSocketPath: string
  ssh: SshOptions | undefined
  client: { clientId: string; name: string; version: string; machineName: string }
  sink: HostSink
  tokens: HostTokens
  shell: DeskPlatform['shell']
  record: { get(): HostRecord; change(patch: Partial<HostRecord>): HostRecord }
  /** For this machine's host: starts agentd. */
  local: LocalAgentd | undefined
  onChange: () => void
  onNotice: (notice: Notice) => void
  onProblem: (error: unknown) => void
  backoff: BackoffLimits | undefined
  heartbeatMs: number | undefined
}

/** Keeps one host connected and its events flowing into the sink. */
export interface Supervisor {
  state(): HostState
  /** What the host said when it let the desk in; undefined while there is no connection. */
  welcome(): Welcome | undefined
  call: Call
  connection(): HostConnection | undefined
  /** Tries now, or asks a live host for a sign of life. */
  wake(): void
  /** A start of agentd has begun. */
  starting(): void
  /** Ends the connection until the answer is called. */
  hold(): () => void
  /** Connects anew, with the token that is right now. */
  reconnect(): void
  /** Makes a user token at the host and connects anew with it. Throws what stands in the way. */
  pair(): Promise<void>
  dispose(): Promise<void>
}

/** Starts supervising at once. */
export function createSupervisor(needs: SupervisorNeeds): Supervisor {
  const { name, address, sink, tokens, record, local } = needs
  let link: HostLink | undefined
  let shown: ShownToken | undefined
  let welcome: Welcome | undefined
  let isDisposed = false
  let holds = 0
  let again: NodeJS.Timeout | undefined
  let closing: Promise<unknown> = Promise.resolve()
  const situation = createSituation(() => {
    if (!isDisposed) needs.onChange()
  })
  const { change } = situation
  const pairing = createPairing({
    name,
    isTrustedWay: address.kind !== 'ws',
    isLocal: local !== undefined,
    machineName: needs.client.machineName,
    tokens,
    shell: needs.shell,
    record,
    connection: () => link?.connection(),
    onPaired: reconnect,
    onProblem: needs.onProblem,
  })

  function open(): void {
    clearTimeout(again)
    const { hostId } = record.get()
    const from = sink.resumePoint(name)
    shown = tokens.of(name, hostId)
    // Whatever an earlier link still says is of no interest.
    const mine = <A extends unknown[], T>(then: (...args: A) => T) => {
      return (...args: A) => (link === current && !isDisposed ? keeping(() => then(...args)) : undefined)
    }
    change({ appliedSeq: from, received: undefined })
    const current: HostLink = createHostLink({
      address,
      localSocketPath: needs.localSocketPath,
      ssh: needs.ssh,
      token: shown?.token,
      clientId: needs.client.clientId,
      kind: 'desk',
      name: needs.client.name,
      version: needs.client.version,
      hostId,
      resumeFrom: from ?? 'snapshot',
      resumeMark: from === undefined ? undefined : sink.resumeMark(name),
      backoff: needs.backoff,
      heartbeatMs: needs.heartbeatMs,
      beforeConnect: local?.ensure,
      onBug: needs.onProblem,
      onWelcome: mine(onWelcome),
      onEvents: mine((events) => {
        sink.onEvents(name, events)
        kept(events.at(-1)?.seq)
      }),
      onSnapshotPart: mine((part) => {
        const outcome = sink.onSnapshotPart(name, part)
        if (part.last && outcome === undefined) kept(part.headSeq)
        else change(afterPart(situation.now(), part))
        return outcome
      }),
      onNotice: mine(needs.onNotice),
      onState: (state) => {
        // The first state comes before `createHostLink` has returned.
        if (link === undefined || link === current) keeping(() => onLinkState(state))
      },
    })
    link = current
  }

  /** What cannot be kept must not count as kept: the link ends, and begins again after what was. */
  function keeping<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      needs.onProblem(error)
      close()
      change({
        phase: 'waiting',
        error: notKept(error),
        lostAt: situation.lostAt(),
        liveSince: undefined,
        retryAt: Date.now() + KEEP_AGAIN_MS,
      })
      again = setTimeout(() => keeping(open), KEEP_AGAIN_MS)
      return undefined
    }
  }

  function kept(seq: number | undefined): void {
    if (seq === undefined) return
    link?.ack(seq)
    change({ appliedSeq: seq, received: undefined })
  }

  function onWelcome(message: Welcome): void {
    const place = sink.resumePoint(name)
    sink.onWelcome(name, message.hostId)
    const { hostName, version, hostId, headSeq } = message
    record.change({ hostId, machine: hostName, version })
    change({ headSeq })
    // What was kept belonged to another machine and is gone: begin with a snapshot.
    if (sink.resumePoint(name) !== place) reconnect()
  }

  function onLinkState(state: LinkState): void {
    welcome = state.kind === 'live' ? state.welcome : undefined
    const lostAt = situation.lostAt()
    switch (state.kind) {
      case 'connecting':
        return change({ phase: 'connecting', retryAt: undefined })
      case 'offline':
        return change({
          phase: 'waiting',
          error: state.error,
          lostAt,
          retryAt: state.retryAt,
          liveSince: undefined,
          asked: false,
        })
      case 'refused':
        if (!isSettledOtherwise(state.error))
          change({ phase: 'stopped', error: state.error, lostAt, liveSince: undefined, asked: false })
        return
      case 'live':
        if (pairing.isDue(state.welcome, shown)) void pairFirst()
        else change({ phase: 'connected' })
        needs.onChange()
    }
  }

  /** Refusals that the desk can do something about by itself. */
  function isSettledOtherwise(error: AppError): boolean {
    if (error.code === 'unauthorized' && pairing.forgetRefused(shown)) {
      reconnect()
      return true
    }
    const otherId = error.details?.['hostId']
    if (error.code === 'host_unknown' && local !== undefined && typeof otherId === 'string') {
      // The socket is this person's own: its database was made anew.
      pairing.startAnew(otherId)
      keeping(() => sink.onWelcome(name, otherId))
      reconnect()
      return true
    }
    return false
  }

  /** The host counts as connecting until it is done. */
  async function pairFirst(): Promise<void> {
    const isPaired = await pairing.first()
    if (!isPaired && welcome !== undefined) change({ phase: 'connected' })
  }

  function close(): void {
    const old = link
    link = undefined
    welcome = undefined
    if (old !== undefined) closing = Promise.all([closing, old.dispose().catch(needs.onProblem)])
  }

  function reconnect(): void {
    if (isDisposed || holds > 0) return
    close()
    change({ phase: 'connecting', asked: true, liveSince: undefined, retryAt: undefined })
    clearTimeout(again)
    // Not from within the link that is being closed.
    again = setTimeout(() => keeping(open), 0)
  }

  keeping(open)
  return {
    state: situation.state,
    welcome: () => welcome,
    call: (callName, input, options) =>
      link === undefined ? Promise.reject(notConnected(name)) : link.call(callName, input, options),
    connection: () => link?.connection(),
    wake() {
      local?.forgive()
      if (link === undefined) return reconnect()
      link.verify(VERIFY_MS)
      if (situation.now().phase !== 'connected') change({ asked: true })
      link.wake()
    },
    starting: () => change({ phase: 'starting' }),
    hold() {
      close()
      clearTimeout(again)
      holds += 1
      change({ phase: 'connecting', asked: true, liveSince: undefined, retryAt: undefined })
      let isHeld = true
      return () => {
        if (isHeld) holds -= 1
        isHeld = false
        reconnect()
      }
    },
    reconnect,
    pair: pairing.pair,
    async dispose() {
      isDisposed = true
      clearTimeout(again)
      close()
      await closing
    },
  }
}
