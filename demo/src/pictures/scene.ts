import type { Item } from '../catalogue/item.ts'
import { darker, lighter } from '../drawing/colour.ts'
import { flat } from '../drawing/piece.ts'
import { createSheet } from '../drawing/sheet.ts'
import { document, lifted } from '../drawing/studio.ts'
import { clothOf } from './product-pictures.ts'

export type Backdrop = 'arch' | 'disc' | 'rail' | 'block'

export interface Placement {
  item: Item
  colour: number
  /** Middle of the garment in the picture. */
  x: number
  y: number
  scale: number
  turn?: number
}

export interface Scene {
  ground: string
  backdrop: Backdrop
  placements: Placement[]
}

/** A composed picture for a category, a collection or the hero. */
export function drawScene({ ground, backdrop, placements }: Scene): string {
  const sheet = createSheet()
  const light = sheet.define('ground', (id) => {
    return `<linearGradient id="${id}" x1="0" y1="0" x2=".6" y2="1"><stop offset="0" stop-color="${lighter(ground, 0.22)}"/><stop offset="1" stop-color="${darker(ground, 0.08)}"/></linearGradient>`
  })
  const garments = placements.map(({ item, colour, x, y, scale, turn = 0 }) => {
    const colourway = item.colours[colour]
    if (colourway === undefined) throw new Error(`${item.slug} has no colour number ${colour}.`)
    const place = `translate(${x} ${y}) rotate(${turn}) scale(${scale}) translate(-600 -750)`
    return `<g transform="${place}">${lifted(sheet, item.garment.draw(sheet, clothOf(item, colourway), 'front'))}</g>`
  })
  const wall = `<path d="M0 0H1200V1500H0Z" fill="url(#${light})"/>`
  return document(sheet, wall + shapes(backdrop, ground, placements) + garments.join(''))
}

function shapes(backdrop: Backdrop, ground: string, placements: Placement[]): string {
  const pale = lighter(ground, 0.42)
  const deep = darker(ground, 0.14)
  const drawn = {
    arch: () => flat('M180 1500V620C180 80 1020 80 1020 620V1500Z', pale) + flat('M0 1330H1200V1500H0Z', deep, 0.5),
    disc: () => `<circle cx="600" cy="690" r="500" fill="${pale}"/>${flat('M0 1360H1200V1500H0Z', deep, 0.45)}`,
    block: () => flat('M0 0H560V1500H0Z', pale) + flat('M560 1010H1200V1500H560Z', deep, 0.35),
    rail: () => flat('M0 1340H1200V1500H0Z', deep, 0.5) + rail(placements),
  }
  return drawn[backdrop]()
}

/** A clothes rail with a hook above every garment. */
function rail(placements: Placement[]): string {
  const wood = (d: string, width: number): string =>
    `<path d="${d}" stroke="#3f342b" stroke-width="${width}" stroke-linecap="round"/>`
  const hooks = placements.map(({ x, y, scale }) => {
    const neck = Math.round(y - 480 * scale)
    const hook = `M${x} ${neck}V236C${x} 206 ${x + 34} 206 ${x + 34} 230`
    return `<path d="${hook}" fill="none" stroke="#5c4a3a" stroke-width="8" stroke-linecap="round"/>`
  })
  return wood('M70 214H1130', 18) + wood('M110 214V1360M1090 214V1360', 14) + hooks.join('')
}
