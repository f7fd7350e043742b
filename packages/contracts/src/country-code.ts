import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'

/**
 * Of the codes that ISO 3166-1 leaves to its users, XK alone is in general use: carriers and banks use it for Kosovo.
 */
const CODES: ReadonlySet<string> = new Set([...Object.keys(iso31661Alpha2ToAlpha3), 'XK'])

/** All of them, in alphabetical order. */
export const COUNTRY_CODES: readonly string[] = [...CODES].toSorted()

/**
 * Reads a country code that a person typed.
 * @param text in any case, with or without surrounding spaces
 * @returns the ISO 3166-1 alpha-2 code in upper case, such as `GB`; undefined when it is not one
 */
export function countryCodeOf(text: string): string | undefined {
  const typed = text.trim()
  // Only plain letters: the capitals of ß are SS, which is South Sudan.
  const code = /^[A-Za-z]{2}$/.test(typed) ? typed.toUpperCase() : ''
  return CODES.has(code) ? code : undefined
}
