import { languageFor, type Language } from '../../shared/ipc/language.ts'

/** The words of what the system draws for us: menus, the tray, the few notifications of the shell itself. */
const en = {
  about: 'About Handoff',
  hide: 'Hide Handoff',
  quit: 'Quit Handoff',
  file: 'File',
  edit: 'Edit',
  view: 'View',
  go: 'Go',
  window: 'Window',
  help: 'Help',
  newTask: 'New Task…',
  closeWindow: 'Close Window',
  settings: 'Settings…',
  palette: 'Search and Commands…',
  keys: 'Keyboard Shortcuts',
  inbox: 'Inbox',
  tasks: 'Tasks',
  hosts: 'Hosts',
  back: 'Back',
  forward: 'Forward',
  wakeHosts: 'Connect to All Hosts Now',
  openHandoff: 'Open Handoff',
  approve: 'Approve',
  deny: 'Deny and go on',
  open: 'Open',
  nothingWaits: 'Nothing waits for you',
  checkForUpdates: 'Check for Updates…',
  openLogs: 'Show Logs',
  staysTitle: 'Handoff is still here',
  staysInTray:
    'It keeps running beside the clock and tells you when something needs you. Quit it from its menu.',
  staysMinimised: 'This desktop shows no tray, so closing the window only puts it down. Quit with Ctrl+Q.',
  linkTitle: 'A link was not opened',
  linkRefused: 'It is not a link that Handoff knows.',
  notDoneTitle: 'That was not done',
  notDone: 'Look at it in Handoff.',
  shortcutTakenTitle: 'The global shortcut does not work',
  shortcutTaken: 'Another program has it. Choose another one in the settings.',
  typeReply: 'Type your answer',
  badge: 'Something needs you',
  secretsInSystem: 'Secrets: in the system’s key store',
  secretsInFiles: 'Secrets: in files that only you can read (no key store was found)',
}

const zh: Record<keyof typeof en, string> = {
  about: '关于 Handoff',
  hide: '隐藏 Handoff',
  quit: '退出 Handoff',
  file: '文件',
  edit: '编辑',
  view: '显示',
  go: '前往',
  window: '窗口',
  help: '帮助',
  newTask: '新建任务…',
  closeWindow: '关闭窗口',
  settings: '设置…',
  palette: '搜索与命令…',
  keys: '键盘快捷键',
  inbox: '收件箱',
  tasks: '任务',
  hosts: '主机',
  back: '后退',
  forward: '前进',
  wakeHosts: '立即连接所有主机',
  openHandoff: '打开 Handoff',
  approve: '批准',
  deny: '拒绝并继续',
  open: '打开',
  nothingWaits: '没有等待你处理的事项',
  checkForUpdates: '检查更新…',
  openLogs: '显示日志',
  staysTitle: 'Handoff 仍在运行',
  staysInTray: '它会留在托盘中，有事需要你时会通知你。可从托盘菜单退出。',
  staysMinimised: '此桌面没有托盘，关闭窗口只会将其最小化。按 Ctrl+Q 退出。',
  linkTitle: '链接未打开',
  linkRefused: 'Handoff 不认识这个链接。',
  notDoneTitle: '操作未完成',
  notDone: '请在 Handoff 中查看。',
  shortcutTakenTitle: '全局快捷键不可用',
  shortcutTaken: '它已被其他程序占用。请在设置中另选一个。',
  typeReply: '输入你的回答',
  badge: '有事需要你处理',
  secretsInSystem: '机密信息：保存在系统密钥库中',
  secretsInFiles: '机密信息：保存在仅你可读的文件中（未找到密钥库）',
}

/** One sentence or label of the shell. */
export type ShellWord = keyof typeof en
/** Says a word in the language of the moment. */
export type ShellWords = (word: ShellWord) => string

const words = { en, zh }

/** The words in the language that the person chose, or else the system's. */
export function createShellWords(language: () => 'system' | Language, systemLocale: string): ShellWords {
  return (word) => words[languageFor(language(), systemLocale)][word]
}
