import { useSyncExternalStore } from 'react'
import type { IpcEvent } from '../../shared/ipc.ts'
import type { DeskState } from '../../shared/ipc/desk-calls.ts'
import type { Settings, SettingsPatch } from '../../shared/ipc/settings.ts'
import type { Counts, HostView } from '../../shared/ipc/views.ts'
import { createListeners } from '../../shared/listeners.ts'
import { call, subscribe } from './bridge.ts'
import { tellFailure } from './failures.ts'

type Change = IpcEvent<'desk.changed'>

let state: DeskState | undefined
const watchers = createListeners()
const changes = createListeners<[change: Change]>()

/** Reads the desk's state and follows it from then on. Called once before drawing, and again after a lost connection. */
export async function loadDesk(): Promise<DeskState> {
  const loaded = await call('desk.state', {})
  become(loaded)
  changes.tell({ revision: loaded.revision, counts: loaded.counts, hosts: loaded.hosts, tasks: 'all' })
  return loaded
}

/** Begins to follow events; once, and before the first state is asked for, so that no change between is missed. */
export function followDesk(): void {
  subscribe('desk.changed', (change) => {
    if (state === undefined) return
    become({ ...state, revision: change.revision, counts: change.counts, hosts: change.hosts })
    changes.tell(change)
  })
  subscribe('desk.problems', ({ problems }) => {
    if (state !== undefined) become({ ...state, problems })
  })
  subscribe('settings.changed', (settings) => {
    if (state !== undefined) become({ ...state, settings })
  })
}

/** Hears which tasks changed. */
export function onDeskChange(listener: (change: Change) => void): () => void {
  return changes.add(listener)
}

function become(next: DeskState): void {
  state = next
  const waiting = next.counts.needsYou
  document.title = waiting === 0 ? 'Handoff' : `(${waiting}) Handoff`
  watchers.tell()
}

/** The desk's state as it is now; only after `loadDesk`. */
export function deskNow(): DeskState {
  if (state === undefined) throw new Error('the desk was not loaded')
  return state
}

/** One part of the desk's state, for components. `select` must answer the same object while nothing changed. */
export function useDesk<T>(select: (desk: DeskState) => T): T {
  return useSyncExternalStore(watchers.add, () => select(deskNow()))
}

/** What the person chose. */
export function useSettings(): Settings {
  return useDesk((desk) => desk.settings)
}

/** All hosts. */
export function useHosts(): HostView[] {
  return useDesk((desk) => desk.hosts)
}

/** One host; undefined when it was removed. */
export function useHost(name: string): HostView | undefined {
  return useDesk((desk) => desk.hosts.find((host) => host.name === name))
}

/** How many things stand where. */
export function useCounts(): Counts {
  return useDesk((desk) => desk.counts)
}

/** Changes settings; the window follows when the services have kept them. */
export async function changeSettings(patch: SettingsPatch): Promise<void> {
  const settings = await call('settings.change', { patch })
  if (state !== undefined) become({ ...state, settings })
}

/** Changes settings from where no section shows what went wrong. */
export function changeSettingsAside(patch: SettingsPatch): void {
  changeSettings(patch).catch(tellFailure)
}
