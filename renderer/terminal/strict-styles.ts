/**
 * Runs code of xterm.js that makes `<style>` elements, which a strict content security policy forbids: meanwhile it gets
 * elements that hand what is written into them, then and later, to constructed style sheets, which the policy allows.
 */
export function withStrictStyles<T>(run: () => T): T {
  const create = Document.prototype.createElement
  // Only this document, and only until `run` returns: xterm.js has no setting that reaches all of its parts.
  document.createElement = ((tag: string, options?: ElementCreationOptions) =>
    tag === 'style' ? styleElement() : create.call(document, tag, options)) as typeof create
  try {
    return run()
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
}

/** An element that is used like `<style>`: its text are rules, and they go when it is removed. */
function styleElement(): HTMLElement {
  const sheet = new CSSStyleSheet()
  const element = document.createElement('span')
  element.hidden = true
  document.adoptedStyleSheets.push(sheet)
  Object.defineProperty(element, 'textContent', { set: (rules: string) => sheet.replaceSync(rules) })
  element.remove = () => {
    Element.prototype.remove.call(element)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
  }
  return element
}
