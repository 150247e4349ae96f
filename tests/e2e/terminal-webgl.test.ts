import { expect, it } from 'vitest'
import { dispatchDemo } from '../support/agentd.ts'
import { eventually, goTo, reads } from '../support/desk-page.ts'
import { deskSuite } from '../support/desk-suite.ts'

// Chosen by hand: by itself the desk draws with the DOM where WebGL is only software, as it is for tests.
const settings = { terminal: { renderer: 'webgl' as const } }

deskSuite('a terminal drawn with WebGL', { settings, shells: ['browser'] }, (desk) => {
  const view = () => desk.page.getByRole('region', { name: 'The agent’s terminal' })
  const screen = () => view().locator('[data-renderer]')
  // WebGL leaves no text in the page: the picture counts.
  const picture = async () => (await screen().screenshot()).toString('base64')

  it('shows what the agent does, and is drawn by WebGL alone', async () => {
    const { id } = await dispatchDemo(desk.local, desk.repo.path, 'demo: hang', { title: 'Hang' })
    await goTo(desk.page, `/tasks/local/${id}/terminal`)
    await reads(view(), 'Read-only until you take the keyboard')
    const { session = '' } = (await desk.local.call('task.get', { task: id })).tmux ?? {}
    const show = (text: string) =>
      desk.host.tmux.tmux('new-window', '-t', `=${session}:`, `printf '${text}'; exec sleep 600`)
    await show('one')
    const one = await eventually('a picture', picture)
    await show('another 你好')
    await eventually('another picture', async () => (await picture()) !== one)
    expect(await screen().getAttribute('data-renderer')).toBe('webgl')
    expect(await view().locator('.xterm-rows').count()).toBe(0)
  })

  it('goes on with the DOM when the graphics processor drops it', async () => {
    await desk.page.evaluate(() => {
      for (const canvas of document.querySelectorAll<HTMLCanvasElement>('[data-renderer] canvas'))
        canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext()
    })
    await reads(view().locator('.xterm-rows'), /another.*你好/)
  })
})
