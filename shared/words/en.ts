/** What a window, the tray and notifications say alike, in English. Texts of the window alone are in `renderer/i18n`. */
export const en = {
  sections: {
    inbox: 'Inbox',
    tasks: 'Tasks',
    hosts: 'Hosts',
    settings: 'Settings',
  },
  decide: {
    approve: 'Approve once',
    answer: 'Answer…',
    open: 'Open',
  },
  glance: {
    localHost: 'This computer',
    needYou_one: '{{count}} needs you',
    needYou_other: '{{count}} need you',
    nothing: 'Nothing needs you.',
    running_one: '{{count}} task is running.',
    running_other: '{{count}} tasks are running.',
    ready: '{{title}} is ready for review',
    more: '{{count}} more in the inbox',
  },
}
