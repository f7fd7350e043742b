import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Assets, InlineScript } from '../layout/page-context.ts'

const Manifest = z.record(
  z.string(),
  z.looseObject({ file: z.string(), src: z.string().optional(), imports: z.array(z.string()).default([]) }),
)

/** Reads what the build wrote. @param folder `dist/client` */
export function readAssets(folder: string): Assets {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))
  const entryOf = (source: string) => {
    const entry = manifest[source]
    if (!entry) throw new Error(`the build has no ${source}: build the storefront again`)
    return entry
  }
  const withImports = (source: string): string[] => {
    const { file, imports } = entryOf(source)
    return [`/${file}`, ...imports.flatMap(withImports)]
  }
  const inlineOf = (name: InlineScript): string => readFileSync(join(folder, `inline/${name}.js`), 'utf8').trim()
  const textOf = (name: string): string => readFileSync(join(folder, entryOf(`src/styles/${name}.css`).file), 'utf8')
  return {
    modules: (script) => [...new Set(withImports(`src/islands/${script}.ts`))],
    inline: { loader: inlineOf('loader'), 'own-contents': inlineOf('own-contents') },
    styles: {
      shop: textOf('shop').trim(),
      account: textOf('account').trim(),
      checkout: textOf('checkout').trim(),
      home: textOf('home').trim(),
      list: textOf('list').trim(),
      product: textOf('product').trim(),
    },
  }
}
