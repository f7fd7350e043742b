import { DEFAULT_CURRENCY, StorefrontConfiguration } from '@storefront/contracts'
import { z } from 'zod'
import { inClientShapes } from './client-shapes.ts'
import { withoutSecrets } from './misplaced-secrets.ts'

type SettingPath = readonly string[]

/**
 * The public form of a configuration that was stored under any rules: in the shapes of the storefront, without secrets,
 * and without invalid values, so that their defaults apply.
 */
export function configurationOf(stored: unknown): StorefrontConfiguration {
  let document = withoutSecrets(inClientShapes(stored, storedCurrencyOf(stored)))
  for (;;) {
    const parsed = StorefrontConfiguration.safeParse(document)
    if (parsed.success) return parsed.data
    const invalid = parsed.error.issues.flatMap((issue) => {
      const path = issue.path.map(String)
      // Undeclared names are reported at the object that contains them.
      const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((name) => [...path, name]) : [path]
      return paths.map((each) => existingPart(document, each))
    })
    if (invalid.some((path) => path.length === 0)) return {}
    document = without(document, invalid)
  }
}

const StoredCurrency = z
  .object({ pricing: z.object({ currency: z.string().min(1) }) })
  .transform(({ pricing }) => pricing.currency)

/** The currency of a document that was not validated yet. */
export function storedCurrencyOf(document: unknown): string {
  return StoredCurrency.catch(DEFAULT_CURRENCY).parse(document)
}

/** The path, up to the object in which the next key is missing. */
export function existingPart(document: unknown, path: SettingPath): SettingPath {
  let holder = document
  for (const [index, step] of path.entries()) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, step)) return path.slice(0, index)
    holder = Reflect.get(holder, step)
  }
  return path
}

function without(value: unknown, paths: readonly SettingPath[]): unknown {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value
  const inside = Map.groupBy(paths, ([first]) => first)
  const kept = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    const here = inside.get(key) ?? []
    if (here.some((path) => path.length === 1)) return []
    const deeper = here.map((path) => path.slice(1))
    return [[key, without(each, deeper)]]
  })
  return Array.isArray(value) ? kept.map(([, each]) => each) : Object.fromEntries(kept)
}
