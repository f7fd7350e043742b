import { darker, lighter, lightness, mix } from './colour.ts'
import { compact } from './compact.ts'
import type { Garment, View } from './garment.ts'
import { createSheet, type Sheet } from './sheet.ts'
import type { Cloth } from './texture.ts'

const open = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 1500" width="1200" height="1500">'

export function document(sheet: Sheet, markup: string): string {
  return `${open}<defs>${sheet.definitions().replaceAll(' -', '-')}</defs>${compact(markup)}</svg>\n`
}

/** A wall and a floor in a whisper of the cloth's complement, lit from the upper left. */
export function studio(sheet: Sheet, cloth: Cloth): string {
  const paper = lightness(cloth.hex) > 0.82 ? '#ddd6cb' : '#efebe4'
  const wall = mix(paper, cloth.hex, 0.07)
  const light = sheet.define(`wall ${wall}`, (id) => {
    return (
      `<radialGradient id="${id}" cx=".38" cy=".3" r=".9"><stop offset="0" stop-color="${lighter(wall, 0.55)}"/>` +
      `<stop offset=".6" stop-color="${wall}"/><stop offset="1" stop-color="${darker(wall, 0.1)}"/></radialGradient>`
    )
  })
  const floor = sheet.define('floor', (id) => {
    return (
      `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000" stop-opacity=".07"/>` +
      '<stop offset=".3" stop-color="#000" stop-opacity=".02"/><stop offset="1" stop-color="#fff" stop-opacity=".12"/></linearGradient>'
    )
  })
  return `<path d="M0 0H1200V1500H0Z" fill="url(#${light})"/><path d="M0 1290H1200V1500H0Z" fill="url(#${floor})"/>`
}

export function floorShadow(sheet: Sheet, y: number, width: number): string {
  const id = sheet.define('shadow', (name) => {
    return (
      `<radialGradient id="${name}"><stop offset="0" stop-color="#2a211a" stop-opacity=".42"/>` +
      '<stop offset=".6" stop-color="#2a211a" stop-opacity=".14"/><stop offset="1" stop-color="#2a211a" stop-opacity="0"/></radialGradient>'
    )
  })
  return `<ellipse cx="600" cy="${y}" rx="${width}" ry="34" fill="url(#${id})"/>`
}

/** The garment with a soft shadow on the wall behind it. */
export function lifted(sheet: Sheet, markup: string): string {
  const id = sheet.define('drop', (name) => {
    return (
      `<filter id="${name}" x="-15%" y="-10%" width="130%" height="130%">` +
      '<feGaussianBlur in="SourceAlpha" stdDeviation="20"/><feOffset dx="14" dy="22"/>' +
      '<feComponentTransfer result="s"><feFuncA type="linear" slope=".24"/></feComponentTransfer>' +
      '<feMerge><feMergeNode in="s"/><feMergeNode in="SourceGraphic"/></feMerge></filter>'
    )
  })
  return `<g filter="url(#${id})" stroke-width="3" stroke-linejoin="round">${markup}</g>`
}

export function photograph(garment: Garment, cloth: Cloth, view: View): string {
  const sheet = createSheet()
  const backdrop = studio(sheet, cloth) + floorShadow(sheet, garment.floor.y, garment.floor.width)
  return document(sheet, backdrop + lifted(sheet, garment.draw(sheet, cloth, view)))
}

export function closeUp(garment: Garment, cloth: Cloth): string {
  const sheet = createSheet()
  const { x, y, zoom } = garment.focus
  const backdrop = studio(sheet, cloth)
  const place = `translate(${Math.round(600 - x * zoom)} ${Math.round(750 - y * zoom)}) scale(${zoom})`
  return document(sheet, `${backdrop}<g transform="${place}">${lifted(sheet, garment.draw(sheet, cloth, 'front'))}</g>`)
}
