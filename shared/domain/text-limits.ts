/**
 * How long a text may be that a person writes, in UTF-16 units. Schemas check it, and fields of the window stop there, so that
 * nothing is written that is refused afterwards.
 */
export const textLimits = {
  search: 200,
  hostName: 63,
  /** What the agent is told with a denial. */
  denial: 20_000,
  answer: 100_000,
  /** A plan, also as a file, whose bytes are at least as many. */
  plan: 512 * 1024,
  instruction: 200_000,
  command: 10_000,
  /** One comment on lines, one of those lines, and what is said about all of the changes. */
  comment: 20_000,
  quotedLine: 2_000,
  generalComment: 100_000,
} as const
