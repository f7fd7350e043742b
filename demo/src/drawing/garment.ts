import type { Sheet } from './sheet.ts'
import type { Cloth } from './texture.ts'

export type View = 'front' | 'back'

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
