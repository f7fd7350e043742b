import type { LockedPackage } from './lock-file.ts'

/** Licenses that this project may depend on, with their conditions. The owner decides about any other license. */
export const ALLOWED_LICENSES: Record<string, string> = {
  '0BSD': 'nothing',
  'Apache-2.0': 'its notices in copies',
  'Apache-2.0 AND LGPL-3.0-or-later': 'the same as LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': 'the same as LGPL-3.0-or-later',
  'BSD-2-Clause': 'its notice in copies',
  'BSD-3-Clause': 'its notice in copies',
  'BlueOak-1.0.0': 'its notice in copies',
  'CC0-1.0': 'nothing',
  ISC: 'its notice in copies',
  'LGPL-3.0-or-later':
    'a separate, replaceable library (libvips, which makes thumbnails), and publication of its changes',
  MIT: 'its notice in copies',
  'MIT-0': 'nothing',
  'MIT AND Zlib': 'its notice in copies',
  'MIT OR CC0-1.0': 'nothing',
  'MPL-2.0': 'publication of changes of its files',
  // Of the typeface that the storefront brings along.
  'OFL-1.1': 'its notice in copies; a changed typeface has another name',
  'Python-2.0': 'its notice in copies',
  'Unicode-3.0': 'its notice in copies',
  Unlicense: 'nothing',
}

/** @returns the SPDX expression of a license, without parentheses around it */
export function licenseOf({ license = 'none' }: Pick<LockedPackage, 'license'>): string {
  return /^\(([^()]*)\)$/.exec(license)?.[1] ?? license
}

const HEAD = `# Licenses of dependencies

Written by \`npm run licenses\` from package-lock.json, for every platform; a test compares it, and rejects a license that
\`ALLOWED_LICENSES\` in tools/src/supply-chain/licenses-page.ts does not name. The license of the project itself is in
the [README](../README.md#license). Packages in italics are for building and testing.
`

/** @returns the text of docs/licenses.md, without versions, so that updates with the same license do not change it */
export function licensesPage(packages: readonly LockedPackage[]): string {
  const byLicense = Map.groupBy(packages, licenseOf)
  const sections = [...byLicense]
    .toSorted(([one], [other]) => compare(one, other))
    .map(([license, group]) => sectionOf(license, group))
  return `${HEAD}\n${sections.join('\n')}`
}

function sectionOf(license: string, group: readonly LockedPackage[]): string {
  const runtimeNames = new Set(group.filter((each) => !each.isForDevelopment).map(({ name }) => name))
  const names = [...new Set(group.map(({ name }) => name))]
    .toSorted(compare)
    .map((name) => (runtimeNames.has(name) ? `\`${name}\`` : `_\`${name}\`_`))
  return `## ${license}\n\nRequires: ${ALLOWED_LICENSES[license] ?? 'not decided'}.\n\n${names.join(', ')}\n`
}

/** Compares independently of the locale of the machine. */
function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
