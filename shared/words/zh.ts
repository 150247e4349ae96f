import type { en } from './en.ts'
import type { InChinese } from './keys.ts'

/** The same in Chinese. */
export const zh: InChinese<typeof en> = {
  sections: {
    inbox: '收件箱',
    tasks: '任务',
    hosts: '主机',
    settings: '设置',
  },
  decide: {
    approve: '批准一次',
    answer: '回答…',
    open: '打开',
  },
  glance: {
    localHost: '本机',
    needYou_other: '{{count}} 项等你处理',
    nothing: '没有需要你处理的事。',
    running_other: '{{count}} 个任务正在运行。',
    ready: '“{{title}}”已完成，待审核',
    more: '收件箱里还有 {{count}} 项',
  },
}
