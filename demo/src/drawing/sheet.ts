import type { Texture } from './texture.ts'

/** What a garment is cut from. */
export interface Cloth {
  hex: string
  texture: Texture
  /** The second color of stripes, checks and prints, and of contrast trims. */
  accent?: string
}

export type View = 'front' | 'back'

/** Collects the definitions of one SVG file; the same key is defined once. */
export interface Sheet {
  define(key: string, make: (id: string) => string): string
  definitions(): string
}

export interface Garment {
  /** Markup in a 1200 × 1500 frame. */
  draw(sheet: Sheet, cloth: Cloth, view: View): string
  /** What the second picture of a color shows. */
  second: 'back' | 'detail'
  /** Where the close-up looks, and how close. */
  focus: { x: number; y: number; zoom: number }
  /** Where the floor shadow lies, and how wide it is. */
  floor: { y: number; width: number }
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
