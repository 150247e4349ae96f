import { startWindow } from './start.ts'

/** The window's one connection with its services. It is opened when this module is run. */
export const link = startWindow()
