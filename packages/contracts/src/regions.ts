import subdivisions from 'cldr-subdivisions-full/subdivisions/en/en.json' with { type: 'json' }
import { iso31662 } from 'iso-3166/2.js'
import { REGION_ABBREVIATIONS } from './region-abbreviations.ts'

/** A region of a country, as a person typed it. */
export interface FoundRegion {
  /**
   * ISO 3166-2 codes that the text names: one, unless two regions share a name, as a community and its only province
   * do.
   */
  codes: readonly string[]
  /** Codes of the regions that these lie in, from the inside out. */
  within: readonly string[]
}

const ENGLISH_NAMES: Readonly<Record<string, string>> = subdivisions.subdivisions.localeDisplayNames.subdivisions
const PARENTS: ReadonlyMap<string, string> = new Map(iso31662.map(({ code, parent }) => [code, parent]))
/** Words that a name may have besides itself: "New York State", "Province of Ontario". */
const DESIGNATIONS = /\b(?:state|province|region|prefecture|territory|governorate)\b(?:\s+of\b)?/gi

type Region = (typeof iso31662)[number]
/** Codes by each spelling of a name. */
type Names = ReadonlyMap<string, readonly string[]>

const BY_COUNTRY: ReadonlyMap<string, Region[]> = Map.groupBy(iso31662, ({ code }) => code.slice(0, 2))
const namesByCountry = new Map<string, Names>()

/**
 * Finds a region by its ISO 3166-2 code (`US-CA`, `CA`), its local or English name, or a common abbreviation
 * (`Calif.`), in any case, with or without accents and points.
 * @param country ISO 3166-1 alpha-2 code, in any case
 * @param text as a person typed it
 * @returns no codes when the country has no region of that name
 */
export function findRegion(country: string, text: string): FoundRegion {
  const names = namesInCountry(country)
  const codes = names?.get(foldedName(text)) ?? names?.get(foldedName(text.replaceAll(DESIGNATIONS, ' '))) ?? []
  const within = codes.flatMap(ancestorsOf).filter((code) => !codes.includes(code))
  return { codes, within: [...new Set(within)] }
}

/** Whether ISO 3166-2 divides this country at all. @param country ISO 3166-1 alpha-2 code, in any case */
export function hasRegions(country: string): boolean {
  return BY_COUNTRY.has(country.trim().toUpperCase())
}

/** A name without case, accents, points and spaces, for comparing spellings. */
export function foldedName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function namesInCountry(country: string): Names | undefined {
  const code = country.trim().toUpperCase()
  const known = namesByCountry.get(code)
  const regions = BY_COUNTRY.get(code)
  if (known || !regions) return known
  // Built when a region of the country is first looked up: building all of them at once would take a fifth of a second.
  const names = namesOfRegions(regions)
  namesByCountry.set(code, names)
  return names
}

/**
 * A code takes precedence over a name, and a name over an abbreviation: each adds only spellings that are not taken.
 */
function namesOfRegions(regions: readonly Region[]): Names {
  const names = new Map<string, string[]>()
  for (const spellingsOf of [codesIn, namesIn, abbreviationsIn]) {
    const added = new Map<string, string[]>()
    for (const region of regions) {
      for (const spelling of spellingsOf(region).map(foldedName)) {
        if (spelling === '' || names.has(spelling)) continue
        const codes = added.get(spelling) ?? []
        if (!codes.includes(region.code)) added.set(spelling, [...codes, region.code])
      }
    }
    for (const [spelling, codes] of added) names.set(spelling, codes)
  }
  return names
}

function codesIn({ code }: Region): string[] {
  return [code, code.slice(3)]
}

/** ISO writes several names into one: `Catalunya [Cataluña]`, `Madrid, Comunidad de`. */
function namesIn({ code, name }: Region): string[] {
  return [name, ENGLISH_NAMES[code.replace('-', '').toLowerCase()] ?? ''].flatMap((each) => {
    const parts = [each, ...each.split(/[[\]()/;*]/)]
    return parts.flatMap((part) => {
      const [main = '', article] = part.split(', ')
      return article === undefined ? [part] : [part, main, `${article} ${main}`]
    })
  })
}

function abbreviationsIn({ code }: Region): readonly string[] {
  return REGION_ABBREVIATIONS[code] ?? []
}

function ancestorsOf(code: string): string[] {
  const parent = PARENTS.get(code)
  return parent === undefined || !parent.includes('-') ? [] : [parent, ...ancestorsOf(parent)]
}
