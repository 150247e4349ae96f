import { AppError } from '../../../shared/errors.ts'
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
import type { HostRecord } from './host-records.ts'
import { hostStateOf, type HostSituation } from './host-state.ts'
import type { HostTokens, ShownToken } from './host-tokens.ts'
import type { LocalAgentd } from './local-agentd.ts'
import { makeUserToken } from './pairing.ts'
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
  const isTrustedWay = address.kind !== 'ws'
  let link: HostLink | undefined
  let shown: ShownToken | undefined
  let welcome: Welcome | undefined
  let pairing: Promise<void> | undefined
  let hasTriedToPair = false
  let isDisposed = false
  let holds = 0
  let again: NodeJS.Timeout | undefined
  let closing: Promise<unknown> = Promise.resolve()
  let situation: HostSituation = {
    phase: 'connecting',
    asked: false,
    error: undefined,
    lostAt: undefined,
    retryAt: undefined,
    headSeq: 0,
    appliedSeq: undefined,
    liveSince: undefined,
  }

  function change(patch: Partial<HostSituation>): void {
    const before = JSON.stringify(hostStateOf(situation))
    situation = { ...situation, ...patch }
    if (situation.phase === 'connected' && situation.liveSince === undefined && isCaughtUp()) {
      // Nothing is owed any more: the next loss begins a new count.
      situation = { ...situation, liveSince: Date.now(), lostAt: undefined, error: undefined, asked: false }
    }
    if (JSON.stringify(hostStateOf(situation)) !== before && !isDisposed) needs.onChange()
  }

  const isCaughtUp = () => situation.appliedSeq !== undefined && situation.appliedSeq >= situation.headSeq

  function open(): void {
    clearTimeout(again)
    const { hostId } = record.get()
    const from = sink.resumePoint(name)
    shown = tokens.of(name, hostId)
    // Whatever an earlier link still says is of no interest.
    const mine = <A extends unknown[]>(then: (...args: A) => void) => {
      return (...args: A) => {
        if (link === current && !isDisposed) keeping(() => then(...args))
      }
    }
    change({ appliedSeq: from })
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
      backoff: needs.backoff,
      heartbeatMs: needs.heartbeatMs,
      beforeConnect: local?.ensure,
      onWelcome: mine(onWelcome),
      onEvents: mine((events) => {
        sink.onEvents(name, events)
        kept(events.at(-1)?.seq)
      }),
      onSnapshot: mine((snapshot) => {
        sink.onSnapshot(name, snapshot)
        kept(snapshot.headSeq)
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
  function keeping(work: () => void): void {
    try {
      work()
    } catch (error) {
      needs.onProblem(error)
      close()
      change({
        phase: 'waiting',
        error: notKept(error),
        lostAt: situation.lostAt ?? Date.now(),
        liveSince: undefined,
        retryAt: Date.now() + KEEP_AGAIN_MS,
      })
      again = setTimeout(() => keeping(open), KEEP_AGAIN_MS)
    }
  }

  function kept(seq: number | undefined): void {
    if (seq === undefined) return
    link?.ack(seq)
    change({ appliedSeq: seq })
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
    const lostAt = situation.lostAt ?? Date.now()
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
        if (wantsPairing(state.welcome)) void pairFirst()
        else change({ phase: 'connected' })
        needs.onChange()
    }
  }

  /** Refusals that the desk can do something about by itself. */
  function isSettledOtherwise(error: AppError): boolean {
    const { hostId } = record.get()
    if (error.code === 'unauthorized' && shown?.from === 'pairing' && hostId !== undefined) {
      tokens.forgetPaired(hostId)
      record.change({ pairing: 'revoked', tokenId: undefined })
      reconnect()
      return true
    }
    const otherId = error.details?.['hostId']
    if (error.code === 'host_unknown' && local !== undefined && typeof otherId === 'string') {
      // The socket is this person's own: its database was made anew.
      record.change({ hostId: otherId, pairing: 'none', tokenId: undefined })
      hasTriedToPair = false
      keeping(() => sink.onWelcome(name, otherId))
      reconnect()
      return true
    }
    return false
  }

  function wantsPairing({ role }: Welcome): boolean {
    if (!isTrustedWay || role === 'user' || shown !== undefined || hasTriedToPair) return false
    const { pairing: mark } = record.get()
    return mark === 'wanted' || (local !== undefined && mark !== 'revoked')
  }

  /** At the first connection; the host counts as connecting until it is done. Without success the desk is a reviewer. */
  async function pairFirst(): Promise<void> {
    hasTriedToPair = true
    try {
      await pair()
    } catch (error) {
      // A connection that broke meanwhile says nothing about the host; the next one tries again.
      if (error instanceof AppError && error.code === 'connection_lost') hasTriedToPair = false
      else needs.onProblem(error)
      if (welcome !== undefined) change({ phase: 'connected' })
    }
  }

  function pair(): Promise<void> {
    pairing ??= pairNow().finally(() => (pairing = undefined))
    return pairing
  }

  async function pairNow(): Promise<void> {
    if (!isTrustedWay) throw cannotPair(name)
    const live = link?.connection()
    if (live === undefined) throw notConnected(name)
    const { hostId } = live.welcome
    const { token, id } = await makeUserToken(live.call, needs.client.machineName)
    tokens.keepPaired(hostId, token)
    record.change({ pairing: 'paired', tokenId: id })
    reconnect()
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
    state: () => hostStateOf(situation),
    welcome: () => welcome,
    call: (callName, input, options) =>
      link === undefined ? Promise.reject(notConnected(name)) : link.call(callName, input, options),
    connection: () => link?.connection(),
    wake() {
      local?.forgive()
      if (link === undefined) return reconnect()
      link.verify(VERIFY_MS)
      if (situation.phase !== 'connected') change({ asked: true })
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
    pair,
    async dispose() {
      isDisposed = true
      clearTimeout(again)
      close()
      await closing
    },
  }
}

function notKept(cause: unknown): AppError {
  return new AppError(
    {
      code: 'internal',
      message: 'The desk could not keep what the host told.',
      hint: 'Make sure that the disk is not full; the log tells more.',
    },
    { cause },
  )
}

function notConnected(name: string): AppError {
  return new AppError({
    code: 'connection_lost',
    message: `${name} is not connected.`,
    hint: 'Wait until it is back, then try again.',
  })
}

function cannotPair(name: string): AppError {
  return new AppError({
    code: 'needs_token',
    message: `${name} is reached over the network, where only a token says who you are.`,
    hint: 'Make one on that machine with `handoff agentd token create --role user`, and give it to the desk.',
  })
}
