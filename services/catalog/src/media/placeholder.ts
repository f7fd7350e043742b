import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const PLACEHOLDER_PATH = '/media/placeholder.svg'

/** Stands in for the picture of a product, category or collection that has none. */
export const PLACEHOLDER_FILE = fileURLToPath(new URL('./placeholder.svg', import.meta.url))
export const PLACEHOLDER_SVG = readFileSync(PLACEHOLDER_FILE)
