/** The parts of a task, in the order in which they are shown. */
export const taskTabs = ['timeline', 'changes', 'terminal', 'plan', 'usage'] as const
/** One of them. */
export type TaskTab = (typeof taskTabs)[number]

/** Whether a part of a route names a tab. */
export function isTab(text: string): text is TaskTab {
  return (taskTabs as readonly string[]).includes(text)
}
