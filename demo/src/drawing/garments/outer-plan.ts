import type { Cut } from './body.ts'
import type { Sleeve } from './sleeve.ts'
import type { Pocket } from './trims.ts'

export interface OuterPlan {
  cut?: Cut
  collar: 'lapel' | 'shirt' | 'stand' | 'hood' | 'round'
  closing: 'single' | 'double' | 'zip' | 'snaps' | 'toggles'
  /** Where the hem falls, added to the hip. */
  length?: number
  width?: number
  pocket?: Pocket['kind'] | 'slant' | 'none'
  chestPockets?: boolean
  belt?: boolean
  ribbed?: boolean
  quilted?: 'channels' | 'diamonds'
  cuff?: Sleeve['cuff']
  buttonColour?: string
  lining?: string
  contrastCollar?: string
  sleeveless?: boolean
  epaulettes?: boolean
}
