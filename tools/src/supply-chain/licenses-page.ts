import type { LockedPackage } from './lock-file.ts'

/**
 * Licenses that this project may depend on, with their conditions. The owner decides about any other license.
 */
export const ALLOWED_LICENSES: Record<string, string> = {
  '0BSD': 'nothing',
  'Apache-2.0': 'its notices go with copies',
  'Apache-2.0 AND LGPL-3.0-or-later': 'as LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': 'as LGPL-3.0-or-later',
  'BSD-2-Clause': 'its notice goes with copies',
  'BSD-3-Clause': 'its notice goes with copies',
  'BlueOak-1.0.0': 'its notice goes with copies',
  'CC0-1.0': 'nothing',
  ISC: 'its notice goes with copies',
  'LGPL-3.0-or-later':
    'a library of its own that can be exchanged (libvips, which makes thumbnails); changes of it are published',
  MIT: 'its notice goes with copies',
  'MIT-0': 'nothing',
  'MIT AND Zlib': 'its notice goes with copies',
  'MIT OR CC0-1.0': 'nothing',
  'MPL-2.0': 'changes of its files are published',
  'Python-2.0': 'its notice goes with copies',
  'Unicode-3.0': 'its notice goes with copies',
  Unlicense: 'nothing',
}

/** An SPDX expression without parentheses around the whole of it. */
export function licenseOf({ license = 'none' }: Pick<LockedPackage, 'license'>): string {
  return /^\(([^()]*)\)$/.exec(license)?.[1] ?? license
}

const HEAD = `# Licenses of dependencies

Written by \`npm run licenses\` from package-lock.json, for every platform; a test compares it, and rejects a license that
\`ALLOWED_LICENSES\` in tools/src/supply-chain/licenses-page.ts does not name. How the project itself is licensed stands in
the [README](../README.md#license). Packages in italics are for building and testing.
`

/** The text of docs/licenses.md. Versions are left out: an update that keeps its license does not change it. */
export function licensesPage(packages: readonly LockedPackage[]): string {
  const byLicense = Map.groupBy(packages, licenseOf)
  const sections = [...byLicense]
    .toSorted(([one], [other]) => compare(one, other))
    .map(([license, group]) => sectionOf(license, group))
  return `${HEAD}\n${sections.join('\n')}`
}

function sectionOf(license: string, group: readonly LockedPackage[]): string {
  const isRun = new Set(group.filter((each) => !each.isForDevelopment).map(({ name }) => name))
  const names = [...new Set(group.map(({ name }) => name))]
    .toSorted(compare)
    .map((name) => (isRun.has(name) ? `\`${name}\`` : `_\`${name}\`_`))
  return `## ${license}\n\nAsks for: ${ALLOWED_LICENSES[license] ?? 'not decided'}.\n\n${names.join(', ')}\n`
}

/** The same on every machine, whatever its locale. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
