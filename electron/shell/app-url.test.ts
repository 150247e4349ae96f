import { describe, expect, it } from 'vitest'
import { isAppUrl, pageUrl, routeOfUrl } from './app-url.ts'

describe('addresses of the desk', () => {
  it('knows its own pages', () => {
    expect(isAppUrl(pageUrl('/inbox'))).toBe(true)
    expect(isAppUrl('handoff-app://desk/index.html')).toBe(true)
  })

  it.each([
    'https://desk/',
    'handoff-app://other/',
    'handoff-app://desk.example/',
    'handoff-app://desk:8080/',
    'handoff-app://user@desk/',
    'handoff-app:desk',
    'file:///index.html',
    'about:blank',
    'handoff://desk/',
    '',
  ])('does not take %s for one', (url) => {
    expect(isAppUrl(url)).toBe(false)
  })

  it('reads a route only from its own pages', () => {
    expect(routeOfUrl(pageUrl('/inbox/local/a%3Ab'))).toBe('/inbox/local/a%3Ab')
    expect(routeOfUrl(pageUrl())).toBeUndefined()
    expect(routeOfUrl('handoff-app://desk/#inbox')).toBeUndefined()
    expect(routeOfUrl('handoff-app://desk/#/inbox?approve=1')).toBeUndefined()
    expect(routeOfUrl('https://desk/#/inbox')).toBeUndefined()
  })
})
