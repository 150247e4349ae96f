import { Inbox as InboxIcon, ListTodo, Server, Settings as SettingsIcon, type LucideIcon } from 'lucide-react'
import { lazy, type ComponentType } from 'react'
import type { Counts } from '../../shared/ipc/views.ts'
import type { MessageKey } from '../i18n/i18n.ts'
import { InboxScreen } from '../inbox/InboxScreen.tsx'

/** A section of the desk. A new one is a folder, a line here, and its words. */
export interface Section {
  /** First part of its routes. */
  id: string
  label: MessageKey
  icon: LucideIcon
  screen: ComponentType<{ parts: string[] }>
  /** A number beside its name. */
  badge?: (counts: Counts) => number
  /** Below the line, at the bottom of the sidebar. */
  atBottom?: boolean
}

/** Every section, in the order of the sidebar. Only the inbox is part of the start; the others are loaded when opened. */
export const sections: readonly Section[] = [
  {
    id: 'inbox',
    label: 'sections.inbox',
    icon: InboxIcon,
    screen: InboxScreen,
    badge: (counts) => counts.needsYou,
  },
  {
    id: 'tasks',
    label: 'sections.tasks',
    icon: ListTodo,
    screen: lazy(() => import('../tasks/TasksScreen.tsx').then((m) => ({ default: m.TasksScreen }))),
  },
  {
    id: 'hosts',
    label: 'sections.hosts',
    icon: Server,
    screen: lazy(() => import('../hosts/HostsScreen.tsx').then((m) => ({ default: m.HostsScreen }))),
  },
  {
    id: 'settings',
    label: 'sections.settings',
    icon: SettingsIcon,
    screen: lazy(() => import('../settings/SettingsScreen.tsx').then((m) => ({ default: m.SettingsScreen }))),
    atBottom: true,
  },
]
