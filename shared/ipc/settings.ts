import { z } from 'zod'
import { textLimits } from '../domain/text-limits.ts'

/** What the terminal's numbers may be. */
export const terminalRanges = {
  fontSizePx: { min: 8, max: 32 },
  lineHeight: { min: 1, max: 2 },
  scrollbackLines: { min: 200, max: 100_000 },
} as const

const within = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max)
/** Minutes after midnight, local time. */
const minuteOfDay = z.number().int().min(0).max(1_439)

/** What the person chose. Every field has a default, so an older file reads as the choices it has. */
export const settingsSchema = z.object({
  v: z.literal(1).default(1),
  language: z.enum(['system', 'en', 'zh']).default('system'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  reduceMotion: z.boolean().default(false),
  notifications: z
    .object({
      enabled: z.boolean().default(true),
      permission: z.boolean().default(true),
      question: z.boolean().default(true),
      review: z.boolean().default(true),
      trouble: z.boolean().default(true),
      sound: z.boolean().default(false),
      /** Hide commands and questions in what the system shows on a locked screen. */
      hideContent: z.boolean().default(false),
      quietHours: z
        .object({
          enabled: z.boolean().default(false),
          from: minuteOfDay.default(1_320),
          to: minuteOfDay.default(480),
        })
        .prefault({}),
      /** Quiet until then (ms since the epoch); past means not quiet. */
      quietUntil: z.number().int().min(0).default(0),
      /** Hosts that never alert. */
      mutedHosts: z.array(z.string().max(textLimits.hostName)).max(200).default([]),
    })
    .prefault({}),
  shortcuts: z
    .object({
      /** Electron accelerator that brings the desk to the front; empty means none. */
      global: z.string().max(60).default('CommandOrControl+Shift+H'),
    })
    .prefault({}),
  startup: z
    .object({ launchAtLogin: z.boolean().default(false), openWindow: z.boolean().default(true) })
    .prefault({}),
  terminal: z
    .object({
      fontFamily: z.string().max(200).default(''),
      fontSizePx: within(terminalRanges.fontSizePx).int().default(12),
      lineHeight: within(terminalRanges.lineHeight).default(1.25),
      scrollbackLines: within(terminalRanges.scrollbackLines).int().default(10_000),
      renderer: z.enum(['auto', 'webgl', 'dom']).default('auto'),
      cursorBlink: z.boolean().default(false),
      copyOnSelect: z.boolean().default(false),
    })
    .prefault({}),
  review: z
    .object({ layout: z.enum(['unified', 'split']).default('unified'), wrap: z.boolean().default(false) })
    .prefault({}),
  editor: z.enum(['system', 'vscode', 'cursor', 'zed', 'idea', 'vim']).default('system'),
  /** What the New task dialog offers first. */
  lastTask: z
    .object({
      host: z.string().max(textLimits.hostName).default('local'),
      repoPath: z.string().max(4_096).default(''),
      executor: z.string().max(64).default(''),
    })
    .prefault({}),
  /** The three sentences of the first start were seen. */
  welcomed: z.boolean().default(false),
})
export type Settings = z.infer<typeof settingsSchema>

type DeepPartial<T> = {
  [K in keyof T]?: T[K] extends unknown[] ? T[K] : T[K] extends object ? DeepPartial<T[K]> : T[K]
}
/** Some of the settings, at any depth. */
export type SettingsPatch = DeepPartial<Settings>
