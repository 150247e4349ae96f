/** What functions become on their way to another world; absent where they cannot travel. */
export interface FunctionHooks {
  out(fn: (...args: unknown[]) => unknown): number
  back(id: number): (...args: unknown[]) => unknown
}

/**
 * Values as structured cloning carries them, in a form that JSON can say. It is also sent to the pages as source text, so it
 * uses nothing from outside itself. Without hooks a function is refused with the words that Electron uses.
 */
export function createCodec(hooks?: FunctionHooks) {
  function toBase64(bytes: Uint8Array): string {
    let text = ''
    for (const byte of bytes) text += String.fromCharCode(byte)
    return btoa(text)
  }
  function encode(value: unknown): unknown {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'number') return Number.isFinite(value) ? value : { $: 'n', v: String(value) }
    if (value === undefined) return { $: 'u' }
    if (typeof value === 'bigint') return { $: 'i', v: String(value) }
    if (typeof value === 'function' && hooks !== undefined)
      return { $: 'f', v: hooks.out(value as (...args: unknown[]) => unknown) }
    if (typeof value === 'function' || typeof value === 'symbol')
      throw new Error('An object could not be cloned.')
    return encodeObject(value as object)
  }
  function encodeObject(value: object): unknown {
    if (Array.isArray(value)) return value.map(encode)
    if (value instanceof Date) return { $: 'd', v: value.getTime() }
    if (value instanceof Map) return { $: 'm', v: [...value].map(encode) }
    if (value instanceof Set) return { $: 's', v: [...value].map(encode) }
    if (value instanceof Error) return { $: 'e', v: [value.name, value.message] }
    if (value instanceof ArrayBuffer) return { $: 'b', v: toBase64(new Uint8Array(value)) }
    if (value instanceof Uint8Array) return { $: 'b', v: toBase64(value) }
    const entries = Object.entries(value).map(([key, child]): [string, unknown] => [key, encode(child)])
    return '$' in value ? { $: 'o', v: entries } : Object.fromEntries(entries)
  }
  function decode(coded: unknown): unknown {
    if (typeof coded !== 'object' || coded === null) return coded
    if (Array.isArray(coded)) return coded.map(decode)
    if ('$' in coded) return decodeMarked(coded as { $: string; v: never })
    return Object.fromEntries(Object.entries(coded).map(([key, child]) => [key, decode(child)]))
  }
  function decodeMarked({ $, v }: { $: string; v: never }): unknown {
    if ($ === 'n') return Number(v)
    if ($ === 'i') return BigInt(v)
    if ($ === 'f') return hooks?.back(v)
    if ($ === 'd') return new Date(v)
    if ($ === 'm') return new Map((v as unknown[]).map(decode) as [unknown, unknown][])
    if ($ === 's') return new Set((v as unknown[]).map(decode))
    if ($ === 'e') return Object.assign(new Error(v[1] as string), { name: v[0] as string })
    if ($ === 'b') return Uint8Array.from(atob(v), (character) => character.charCodeAt(0))
    if ($ === 'o')
      return Object.fromEntries((v as [string, unknown][]).map(([key, child]) => [key, decode(child)]))
    return undefined
  }
  return { encode, decode }
}
