import { resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../../docs/images/console')

/** Any four will do. */
export const PICTURES = ['home', 'orders', 'products', 'stock'].map((name) => resolve(FOLDER, `${name}.webp`))
