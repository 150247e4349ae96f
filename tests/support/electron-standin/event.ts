/** An event that can be prevented, as Electron gives it to listeners. */
export function createEvent<T extends object>(
  fields: T,
): T & { preventDefault(): void; defaultPrevented: boolean } {
  const event = {
    ...fields,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true
    },
  }
  return event
}
