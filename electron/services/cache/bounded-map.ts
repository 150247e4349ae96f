/** A map that empties itself when it holds `max` entries: for copies of what can be read again. */
export function createBoundedMap<K, V>(max: number) {
  const map = new Map<K, V>()
  return {
    get: (key: K): V | undefined => map.get(key),
    set(key: K, value: V): void {
      if (map.size >= max && !map.has(key)) map.clear()
      map.set(key, value)
    },
    delete: (key: K): boolean => map.delete(key),
    clear: (): void => map.clear(),
  }
}
