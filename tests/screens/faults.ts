import type { Page } from 'playwright-core'

/** Something on a screen that a person would call broken. */
export interface Fault {
  kind: 'clipped' | 'outside' | 'tiny' | 'covered'
  where: string
  text: string
}

/**
 * What is clipped without an ellipsis, lies outside of the window, is too small to press or is covered by something else. With a
 * dialog or menu open only that is looked at.
 */
export function findFaults(page: Page): Promise<Fault[]> {
  return page.evaluate(look)
}

/** Runs in the page: it may use nothing from outside of itself. */
function look(): Fault[] {
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=menu]')]
  const root = dialogs.at(-1) ?? document.body
  const faults: Fault[] = []

  const nameOf = (element: Element): string => {
    const classes = [...element.classList].map((name) => name.replace(/^_|_[a-z0-9]+_\d+$/gi, ''))
    return [element.tagName.toLowerCase(), ...classes].join('.')
  }
  const add = (kind: Fault['kind'], element: Element): void => {
    const parent = element.parentElement === null ? '' : `${nameOf(element.parentElement)} > `
    const text = (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 60)
    faults.push({ kind, where: parent + nameOf(element), text })
  }
  const hasOwnText = (element: Element): boolean =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '')
  const scrolls = (element: Element): boolean => {
    for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at)
      if (/auto|scroll/.test(`${overflowX} ${overflowY}`)) return true
    }
    return false
  }
  const isForEyes = (element: Element): boolean =>
    element.closest('.visually-hidden, .xterm, svg, [aria-busy="true"], option, datalist') === null &&
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })

  const lookAtText = (element: HTMLElement, style: CSSStyleDeclaration): void => {
    if (!hasOwnText(element) || style.display.startsWith('inline')) return
    const isWide = element.scrollWidth > element.clientWidth + 1
    if (isWide && style.textOverflow !== 'ellipsis' && !/auto|scroll/.test(style.overflowX))
      add('clipped', element)
    const isHigh = element.scrollHeight > element.clientHeight + 3
    const isCut = /hidden|clip/.test(style.overflowY) && style.webkitLineClamp === 'none'
    if (isHigh && isCut && style.whiteSpace !== 'nowrap') add('clipped', element)
  }
  const lookAtPlace = (element: HTMLElement, box: DOMRect): void => {
    if ((!hasOwnText(element) && !element.matches('button, input, select, textarea')) || scrolls(element))
      return
    if (box.right > innerWidth + 1 || box.left < -1 || box.bottom > innerHeight + 1 || box.top < -1)
      add('outside', element)
  }
  const lookAtControl = (element: HTMLElement, box: DOMRect): void => {
    if (!element.matches('button, select, textarea, input:not([type=hidden]), a[href]')) return
    if (box.width < 9 || box.height < 9) return add('tiny', element)
    if (scrolls(element)) return
    const front = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    if (front !== null && !element.contains(front) && !front.contains(element) && root.contains(front))
      add('covered', element)
  }

  for (const element of root.querySelectorAll<HTMLElement>('*')) {
    if (!(element instanceof HTMLElement) || !isForEyes(element)) continue
    const box = element.getBoundingClientRect()
    // One pixel in size: only for screen readers.
    if (box.width <= 1 && !element.matches('button')) continue
    lookAtText(element, getComputedStyle(element))
    lookAtPlace(element, box)
    lookAtControl(element, box)
  }
  return faults
}
