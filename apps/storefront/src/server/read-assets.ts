import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Assets } from '../layout/page-context.ts'

const Manifest = z.record(z.string(), z.looseObject({ file: z.string(), src: z.string().optional() }))

/**
 * Reads what the build wrote.
 * @param folder `dist/client`
 */
export function readAssets(folder: string): Assets {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))
  const fileOf = (source: string): string => {
    const entry = manifest[source]
    if (!entry) throw new Error(`the build has no ${source}: build the storefront again`)
    return `/${entry.file}`
  }
  const font = Object.values(manifest).find(({ src }) => src?.endsWith('figtree-latin-wght-normal.woff2'))
  if (!font) throw new Error('the build has no typeface: build the storefront again')
  return {
    script: (name) => fileOf(`src/islands/${name}.ts`),
    style: readFileSync(join(folder, fileOf('src/styles/shop.css')), 'utf8').trim(),
    font: `/${font.file}`,
  }
}
