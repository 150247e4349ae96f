/**
 * The keys of a table of texts: its path with points. A table has the shape that `textOf` reads: `{{places}}` inside texts, and
 * `_one` and `_other` behind the names of those that count, which the key leaves out.
 */
export type KeyOf<T, P extends string = ''> = {
  [K in keyof T & string]: T[K] extends string
    ? `${P}${K extends `${infer Base}_${'one' | 'other'}` ? Base : K}`
    : KeyOf<T[K], `${P}${K}.`>
}[keyof T & string]

/** The same table in Chinese, which has no singular. */
export type InChinese<T> = {
  [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : InChinese<T[K]>
}
