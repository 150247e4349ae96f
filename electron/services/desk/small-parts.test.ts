import { readFileSync, statSync, writeFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPlayedHosts } from '../../../tests/support/desk-hosts.ts'
import { sampleTask, TASK_ID } from '../../../tests/support/sample-facts.ts'
import { tempFolder } from '../../../tests/support/temp-repository.ts'
import { until } from '../../../tests/support/until.ts'
import { taskRoute, ticketRoute } from '../../../shared/ipc/routes.ts'
import type { CallOutput } from '../../../shared/protocol.ts'
import { createTaskFetcher } from './fetch-tasks.ts'
import { watchHosts } from './host-watch.ts'
import { createDeskLog } from './log.ts'
import { createPlaces } from './places.ts'
import { taskOfRoute } from './task-of-route.ts'

describe('where a window begins', () => {
  it('is where the last one was, also after a restart, but never the tray', () => {
    const home = tempFolder()
    const places = createPlaces(home)
    expect(places.begin()).toBeUndefined()
    places.went('/inbox')
    places.went('/settings/rules')
    places.went('/tray')
    places.keepNow()
    expect(createPlaces(home).begin()).toBe('/settings/rules')
  })

  it('is forgotten, and nothing else, when the disk does not take it', () => {
    const home = tempFolder()
    writeFileSync(path.join(home, 'desk'), 'in the way')
    const places = createPlaces(home)
    places.went('/hosts')
    places.keepNow()
    expect(places.begin()).toBe('/hosts')
    expect(createPlaces(home).begin()).toBeUndefined()
  })

  it('is where somebody wants it, once', () => {
    const places = createPlaces(tempFolder())
    places.went('/inbox')
    places.openAt('/hosts')
    expect(places.begin()).toBe('/hosts')
    expect(places.begin()).toBe('/inbox')
    places.openAt('/hosts')
    places.went('/hosts')
    places.went('/inbox')
    expect(places.begin()).toBe('/inbox')
    places.keepNow()
  })
})

it('knows which task a route shows', () => {
  expect(taskOfRoute(taskRoute('dev.box', TASK_ID))).toEqual({ host: 'dev.box', taskId: TASK_ID })
  expect(taskOfRoute(`${taskRoute('local', TASK_ID)}/changes`)).toEqual({ host: 'local', taskId: TASK_ID })
  for (const route of [
    '/inbox',
    ticketRoute('local', { id: `${TASK_ID}:x`, taskId: TASK_ID }),
    '/tasks/%zz/',
  ])
    expect(taskOfRoute(route)).toBeUndefined()
})

describe('the log of the desk', () => {
  it('is for the person only and has no secrets', () => {
    const logs = path.join(tempFolder(), 'logs')
    const log = createDeskLog(logs)
    log.info({ token: 'hunter2', input: { token: 'hunter2', deep: { password: 'hunter2' } } }, 'it happened')
    const file = path.join(logs, 'desk.log')
    expect(readFileSync(file, 'utf8')).toContain('it happened')
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('begins anew when it has grown large, and keeps the old one', () => {
    const logs = tempFolder()
    writeFileSync(path.join(logs, 'desk.log'), 'x'.repeat(6 * 1024 * 1024))
    createDeskLog(logs).info('first')
    expect(statSync(path.join(logs, 'desk.log')).size).toBeLessThan(1_000)
    expect(statSync(path.join(logs, 'desk.log.1')).size).toBe(6 * 1024 * 1024)
  })

  it('stays small while it runs, in a few files, whoever writes to them', () => {
    const logs = tempFolder()
    const file = path.join(logs, 'desk.log')
    // The shell and the services have a logger each, and a second desk has more.
    const writers = [createDeskLog(logs, { maxBytes: 10_000 }), createDeskLog(logs, { maxBytes: 10_000 })]
    for (let line = 0; line < 2_000; line += 1) writers[line % 2]?.info({ line }, 'something happened')
    const names = readdirSync(logs).sort()
    expect(names).toEqual(['desk.log', 'desk.log.1', 'desk.log.2', 'desk.log.3'])
    for (const name of names) expect(statSync(path.join(logs, name)).size).toBeLessThanOrEqual(10_000)
    const lines = names
      .toReversed()
      .flatMap((name) => readFileSync(path.join(logs, name), 'utf8').trim().split('\n'))
      .map((text) => (JSON.parse(text) as { line: number }).line)
    // The newest lines, each once, in order.
    expect(lines).toEqual(Array.from({ length: lines.length }, (_, index) => 2_000 - lines.length + index))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('watching hosts', () => {
  it('says once that a host became live, and again after it was away', () => {
    const played = createPlayedHosts({ local: {}, devbox: {} })
    const live: string[] = []
    watchHosts({
      hosts: played.hosts,
      onChange: () => undefined,
      onLive: (host) => live.push(host),
      onGone: () => undefined,
    })
    expect(live).toEqual(['local', 'devbox'])
    played.bringBack('devbox')
    played.takeAway('devbox')
    expect(live).toHaveLength(2)
    played.bringBack('devbox')
    expect(live).toEqual(['local', 'devbox', 'devbox'])
  })
})

describe('fetching tasks', () => {
  it('asks for each once, four at a time', async () => {
    let running = 0
    let most = 0
    let go: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (go = resolve))
    const played = createPlayedHosts({
      local: {
        answers: {
          async 'task.get'({ task }) {
            running += 1
            most = Math.max(most, running)
            await gate
            running -= 1
            return { task: sampleTask({ id: task }), tickets: [] } as unknown as CallOutput<'task.get'>
          },
        },
      },
    })
    const put: string[] = []
    const fetcher = createTaskFetcher({
      hosts: played.hosts,
      cache: { put: (_, task) => void put.push(task.id) },
      onBug: (error) => {
        throw error
      },
    })
    for (const round of [1, 2]) for (let id = 0; id < 10 * round; id += 1) fetcher.want('local', `task-${id}`)
    await until('the first four', () => running === 4)
    go()
    await until('all', () => put.length === 20)
    expect(most).toBe(4)
    expect(new Set(put).size).toBe(20)
  })
})
