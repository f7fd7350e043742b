import { compareFields, likelyMistakes, nearestName, rejectUnknownFields, type UnknownField } from '@storefront/http'
import { HOME_SECTION_TYPES, StorefrontConfiguration } from '@storefront/contracts'
import { z } from 'zod'
import { existingPart } from './stored-settings.ts'

const SHOWN_TYPES = new Set<unknown>(HOME_SECTION_TYPES)

/** Every name that a document declares outside of lists, with its path. */
const DECLARED = declaredPaths(StorefrontConfiguration, '')

/**
 * Rejects names that the document does not declare, because they would have no effect. Names that the stored document
 * already has may be sent back.
 * @param change in the shapes of the storefront
 * @throws HttpError `unknown_field`
 */
export function requireKnownSettings(change: unknown, stored: unknown): void {
  rejectUnknownFields(undeclaredSettings(change).filter(({ path }) => !isThere(stored, path.split('.'))))
}

/**
 * The names in a whole document that are probably misspelled. Other undeclared names are the shop's own, which an
 * earlier version accepted, and are kept.
 */
export function misspelledSettings(document: unknown): UnknownField[] {
  return likelyMistakes(undeclaredSettings(document))
}

/** The paths of all names in a document that it does not declare. */
export function unknownSettings(document: unknown): string[] {
  return undeclaredSettings(document).map(({ path }) => path)
}

function undeclaredSettings(document: unknown): UnknownField[] {
  const { unknown } = compareFields(StorefrontConfiguration, withoutOtherSections(document), { closesLoose: true })
  // A name at the top level may belong deeper in the document.
  return unknown.map((each) => (each.path.includes('.') ? each : { ...each, elsewhere: DECLARED }))
}

/** @returns the declared path that was probably meant */
export function nearestSetting(path: string): string | undefined {
  const nearest = nearestName(path, DECLARED)
  return nearest?.isLikely === true ? nearest.name : undefined
}

/** Whether a path may be named: it is declared, or the stored document has it. */
export function isKnownPath(path: readonly string[], stored: unknown): boolean {
  return DECLARED.includes(path.join('.')) || isThere(stored, path)
}

/** Sections that the storefront does not show may have any fields. */
function withoutOtherSections(change: unknown): unknown {
  if (typeof change !== 'object' || change === null || !('home' in change) || !Array.isArray(change.home)) return change
  return { ...change, home: change.home.map((section: unknown) => (isShown(section) ? section : null)) }
}

function isShown(section: unknown): boolean {
  return typeof section === 'object' && section !== null && 'type' in section && SHOWN_TYPES.has(section.type)
}

function isThere(document: unknown, path: readonly string[]): boolean {
  return existingPart(document, path).length === path.length
}

function declaredPaths(schema: unknown, path: string): string[] {
  let inner = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap()
  if (!(inner instanceof z.ZodObject)) return []
  return Object.entries(inner.shape).flatMap(([name, field]) => {
    const place = path === '' ? name : `${path}.${name}`
    return [place, ...declaredPaths(field, place)]
  })
}
