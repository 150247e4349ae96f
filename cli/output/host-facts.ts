import type { CallOutput } from '../../shared/protocol.ts'
import type { Style } from './style.ts'
import { duration } from './time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'

/** What a host told of itself, one fact a line. */
export function hostFacts(info: CallOutput<'host.info'>, style: Style): string[] {
  const fact = (name: string, value: string) => `  ${style.dim(name.padEnd(13))}${value}`
  const environment = info.environmentFiles.map(
    (file) =>
      `${file.executor} (${visibleLine(file.path)})${file.problem === undefined ? '' : `: ${visibleLine(file.problem)}`}`,
  )
  return [
    fact('home', visibleLine(info.home)),
    fact('listening', info.listening.map(visibleLine).join(', ')),
    fact('open tasks', String(info.openTasks)),
    fact('watchdog', `says so after ${duration(info.watchdogMs)} of silence`),
    fact('node', info.node),
    fact('git', info.git === undefined ? style.red('missing') : visibleLine(info.git)),
    fact('tmux', info.tmux === undefined ? style.red('missing') : visibleLine(info.tmux)),
    fact('proxies', info.proxies.join(', ') || 'none'),
    ...(environment.length === 0 ? [] : [fact('environment', environment.join('; '))]),
    ...info.executors.map((one) =>
      fact(
        one.name,
        one.available
          ? `${one.version ?? 'there'}${one.path === undefined ? '' : style.dim(`  ${visibleLine(one.path)}`)}`
          : style.yellow(visibleLine(one.problem ?? 'not there')),
      ),
    ),
  ]
}
