/** Collects the definitions of one SVG file; the same key is defined once. */
export interface Sheet {
  define(key: string, make: (id: string) => string): string
  definitions(): string
}

export function createSheet(): Sheet {
  const ids = new Map<string, string>()
  const markup: string[] = []
  return {
    define(key, make) {
      const known = ids.get(key)
      if (known !== undefined) return known
      const id = `d${ids.size}`
      ids.set(key, id)
      markup.push(make(id))
      return id
    },
    definitions: () => markup.join(''),
  }
}
