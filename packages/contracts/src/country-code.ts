import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'

/** Of the codes that ISO 3166-1 leaves to its users, XK alone is in general use: carriers and banks know Kosovo by it. */
const CODES: ReadonlySet<string> = new Set([...Object.keys(iso31661Alpha2ToAlpha3), 'XK'])

/**
 * Reads a country as somebody typed it.
 * @param text in any case, with or without spaces around it
 * @returns the ISO 3166-1 alpha-2 code in upper case, such as `GB`; undefined when it is not one
 */
export function countryCodeOf(text: string): string | undefined {
  const typed = text.trim()
  // Only plain letters: the capitals of ß are SS, which is South Sudan.
  const code = /^[A-Za-z]{2}$/.test(typed) ? typed.toUpperCase() : ''
  return CODES.has(code) ? code : undefined
}
