import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../apps/storefront/src/styles')
const CLASS = /\.(-?[a-z][\w-]*)(?=[^{}]*\{)/gi

/** @returns the classes in a page of the storefront that have styles, which this page does not include */
export function unstyledClasses(html: string): string[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.css'))
  const known = classesOf(files.map((name) => readFileSync(join(FOLDER, name), 'utf8')).join('\n'))
  const own = classesOf([...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = '']) => text).join('\n'))
  const used = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/))
  return [...new Set(used)].filter((name) => known.has(name) && !own.has(name))
}

function classesOf(css: string): Set<string> {
  return new Set([...css.matchAll(CLASS)].map(([, name = '']) => name))
}
