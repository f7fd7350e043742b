import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'

const STYLES = join(import.meta.dirname, 'src/styles')
const FOLDER = join(STYLES, 'typeface')
const TYPEFACE = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'

/** Writes the parts of the typeface that typeface.css names, each with the characters and the weights of its rule. */
export async function writeTypeface(): Promise<void> {
  const whole = readFileSync(createRequire(import.meta.url).resolve(TYPEFACE))
  mkdirSync(FOLDER, { recursive: true })
  for (const rule of readFileSync(join(STYLES, 'typeface.css'), 'utf8').split('}')) {
    const [, file] = /url\('\.\/typeface\/([\w-]+\.woff2)'\)/.exec(rule) ?? []
    if (file !== undefined) writeFileSync(join(FOLDER, file), await partOf(whole, rule))
  }
}

function partOf(whole: Buffer, rule: string): Promise<Buffer> {
  const ranges = [...rule.matchAll(/U\+([0-9A-F]{4})(?:-([0-9A-F]{4}))?/g)]
  const characters = ranges.map(([, first = '', last = first]) => charactersOf(parseInt(first, 16), parseInt(last, 16)))
  const [, min, max] = /font-weight: (\d+) (\d+)/.exec(rule) ?? []
  const weights = { min: Number(min), max: Number(max) }
  return subsetFont(whole, characters.join(''), { targetFormat: 'woff2', variationAxes: { wght: weights } })
}

function charactersOf(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index))
}
