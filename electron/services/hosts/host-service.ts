import { formatHostAddress, type HostAddress } from '../../../shared/node/host-client/address.ts'
import type { BackoffLimits } from '../../../shared/node/host-client/backoff.ts'
import type { Home } from '../../../shared/node/home.ts'
import type { HostStore, StoredHost } from '../../../shared/node/hosts/host-store.ts'
import { sshOptions } from '../../../shared/node/hosts/ssh-options.ts'
import { createListeners } from '../../../shared/listeners.ts'
import type { DeskPlatform, Installation } from '../platform.ts'
import { attachArgvFor, expandHome } from './attach.ts'
import { alwaysThere, unknownHost } from './host-errors.ts'
import { addressIn, addressToAdd, fingerprintOf, readHostList, whyUnreadable } from './host-list.ts'
import { createHostRecords } from './host-records.ts'
import { createHostTokens } from './host-tokens.ts'
import { createLocalAgentd } from './local-agentd.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'
import type { HostService, HostSink, KnownHost, SecretBox } from './types.ts'
import { watchHostList } from './watch-hosts.ts'
import { waitUntilLive } from './when-live.ts'

/** What the hosts stand on. */
export interface HostServiceNeeds {
  home: Home
  environment: NodeJS.ProcessEnv
  store: HostStore
  secrets: SecretBox
  /** Whose secrets these are: the app and the browser shell may run on one home. */
  shell: DeskPlatform['shell']
  sink: HostSink
  /** The name under which hosts keep this desk's place. */
  clientId: string
  machineName: string
  version: string
  installation: Pick<Installation, 'node' | 'dist'>
  /** Hears of what nobody asked for and nobody can be told: a token that could not be made, a list that cannot be read. */
  onProblem?: ((error: unknown) => void) | undefined
  /** Hears at each reading of the list what is wrong with it: why it, or an address in it, cannot be read. */
  onList?: ((problem: string | undefined) => void) | undefined
  /** Only tests change these. */
  backoff?: BackoffLimits | undefined
  heartbeatMs?: number | undefined
}

interface Entry {
  name: string
  address: HostAddress
  addressText: string
  sshConfig: string | undefined
  /** What makes it another host when it changes in the list. */
  fingerprint: string
  supervisor: Supervisor
}

const REVOKE_TIMEOUT_MS = 1_000

/** Begins to supervise this machine's host and every host of the list. */
export function createHostService(needs: HostServiceNeeds): HostService {
  const { home, store, secrets, sink } = needs
  const onProblem = needs.onProblem ?? (() => undefined)
  const records = createHostRecords(home.root)
  const tokens = createHostTokens({ secrets, store })
  const changes = createListeners<[host: string]>()
  const notices = createListeners<Parameters<Parameters<HostService['onNotice']>[0]>>()
  const entries = new Map<string, Entry>()
  const leaving = new Set<Promise<void>>()

  function begin(name: string, address: HostAddress, stored: StoredHost | undefined): void {
    const addressText = formatHostAddress(address)
    const entry: Entry = {
      name,
      address,
      addressText,
      sshConfig: stored?.sshConfig,
      fingerprint: fingerprintOf(stored),
      supervisor: createSupervisor({
        name,
        address,
        localSocketPath: home.socket,
        ssh: stored === undefined ? undefined : sshOptions(stored),
        client: {
          clientId: needs.clientId,
          name: needs.machineName,
          version: needs.version,
          machineName: needs.machineName,
        },
        sink,
        tokens,
        shell: needs.shell,
        record: {
          get: () => records.get(name, addressText),
          change: (patch) => records.change(name, addressText, patch),
        },
        local: address.kind === 'local' ? local : undefined,
        onChange: () => changes.tell(name),
        onNotice: ({ code, text }) => notices.tell(name, code, text),
        onProblem,
        backoff: needs.backoff,
        heartbeatMs: needs.heartbeatMs,
      }),
    }
    entries.set(name, entry)
    changes.tell(name)
  }

  function leave(name: string): Promise<void> {
    const entry = entries.get(name)
    if (entry === undefined) return Promise.resolve()
    entries.delete(name)
    const gone = entry.supervisor.dispose().finally(() => leaving.delete(gone))
    leaving.add(gone)
    return gone
  }

  function end(name: string): Promise<void> {
    const gone = leave(name)
    changes.tell(name)
    return gone
  }

  /** Follows the list: whoever is new begins, whoever is gone ends, whoever is reached otherwise begins anew. */
  function reload(): void {
    let wrong: string | undefined
    const onWrong = (error: unknown): void => {
      wrong ??= whyUnreadable(error)
      onProblem(error)
    }
    follow(readHostList(store, onWrong), onWrong)
    needs.onList?.(wrong)
  }

  function follow(stored: StoredHost[] | undefined, onWrong: (error: unknown) => void): void {
    // What cannot be read removes nobody.
    if (stored === undefined) return
    const names = new Set(stored.map((host) => host.name))
    for (const { name, address } of entries.values())
      if (address.kind !== 'local' && !names.has(name)) {
        void end(name)
        forget(name)
      }
    for (const host of stored) {
      const known = entries.get(host.name)
      if (known?.fingerprint === fingerprintOf(host)) continue
      const address = addressIn(host, onWrong)
      if (address === undefined) continue
      // It is the same host: nobody hears that it is gone in between, or its copy would be thrown away and its page closed.
      if (known !== undefined) void leave(host.name)
      begin(host.name, address, host)
    }
  }

  function forget(name: string): void {
    const record = records.remove(name)
    tokens.keepGiven(name, undefined)
    // A machine that has another name here keeps its token.
    if (record?.hostId !== undefined && !records.hasOther(name, record.hostId))
      tokens.forgetPaired(record.hostId)
  }

  const entryOf = (host: string): Entry => {
    const entry = entries.get(host)
    if (entry === undefined) throw unknownHost(host)
    return entry
  }

  function known({ name, address, addressText, supervisor }: Entry): KnownHost {
    const { hostId, machine, version } = records.get(name, addressText)
    const role = supervisor.welcome()?.role
    return {
      name,
      isLocal: address.kind === 'local',
      address: addressText,
      state: supervisor.state(),
      hostId,
      machine,
      version,
      role,
    }
  }

  const local = createLocalAgentd({
    home,
    environment: needs.environment,
    installation: needs.installation,
    onStarting: () => entries.get('local')?.supervisor.starting(),
  })
  begin('local', { kind: 'local' }, undefined)
  reload()
  const watching = watchHostList({ homeRoot: home.root, onChange: reload, onProblem })

  return {
    list: () => [...entries.values()].map(known),
    get(host) {
      const entry = entries.get(host)
      return entry === undefined ? undefined : known(entry)
    },
    call: (host) => entryOf(host).supervisor.call,
    connection: (host) => entries.get(host)?.supervisor.connection(),
    whenLive: (host, timeoutMs) =>
      waitUntilLive({
        state: () => entryOf(host).supervisor.state(),
        onChange: (listener) => changes.add((name) => name === host && listener()),
        timeoutMs,
      }),
    add(host) {
      const address = addressToAdd(host)
      const addressText = formatHostAddress(address)
      store.add({
        name: host.name,
        address: addressText,
        ...(host.sshConfig === undefined ? {} : { sshConfig: expandHome(host.sshConfig) }),
      })
      if (host.token !== undefined) tokens.keepGiven(host.name, host.token)
      else if (address.kind !== 'ws') records.change(host.name, addressText, { pairing: 'wanted' })
      reload()
      return known(entryOf(host.name))
    },
    async remove(host) {
      const { supervisor, address, addressText } = entryOf(host)
      if (address.kind === 'local') throw alwaysThere()
      const record = records.get(host, addressText)
      store.remove(host)
      const isLast = record.hostId === undefined || !records.hasOther(host, record.hostId)
      // Its own comes last, since that ends the connection.
      const { electron, browser } = record.tokens
      const made = needs.shell === 'browser' ? [electron, browser] : [browser, electron]
      for (const id of made.map((one) => one?.id))
        if (id !== undefined && isLast && supervisor.welcome() !== undefined)
          // Best effort: a token that nobody keeps any more should not stay valid, but a host may be leaving just now.
          await supervisor
            .call('token.revoke', { token: id }, { timeoutMs: REVOKE_TIMEOUT_MS })
            .catch(onProblem)
      await end(host)
      forget(host)
    },
    setToken(host, token) {
      const { supervisor } = entryOf(host)
      tokens.keepGiven(host, token)
      supervisor.reconnect()
    },
    async pair(host) {
      await entryOf(host).supervisor.pair()
    },
    wake(host) {
      const woken = host === undefined ? [...entries.values()] : [entryOf(host)]
      for (const { supervisor } of woken) supervisor.wake()
    },
    hold: (host) => entryOf(host).supervisor.hold(),
    resync: (host) => entryOf(host).supervisor.reconnect(),
    reload,
    attachArgv(host, tmux, readOnly) {
      const { address, sshConfig } = entryOf(host)
      return attachArgvFor({ address, sshConfig, tmux, readOnly })
    },
    onChange: changes.add,
    onNotice: notices.add,
    async dispose() {
      watching.dispose()
      for (const name of [...entries.keys()]) void end(name)
      await Promise.all(leaving)
      changes.clear()
      notices.clear()
    },
  }
}
