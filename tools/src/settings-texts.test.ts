import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  READING_SECRETS,
  settingsHelp,
  shownSettings,
  withSettingsOfCompose,
  withSettingsOfKubernetes,
  withSettingsTable,
} from './settings-texts.ts'

const repository = join(import.meta.dirname, '../..')
const readText = (name: string) => readFileSync(join(repository, name), 'utf8')
/** The formatter aligns the columns of a table. */
const unaligned = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-')

test('the README lists the settings as they are: otherwise npm run settings', () => {
  const readme = readText('README.md')
  expect(unaligned(withSettingsTable(readme))).toBe(unaligned(readme))
})

test('docker-compose.yml gives each service the settings that it reads: otherwise npm run settings', () => {
  const compose = readText('docker-compose.yml')
  expect(withSettingsOfCompose(compose)).toBe(compose)
})

test('a setting that a service reads is added to its environment, and one that it does not read is removed', () => {
  const compose = readText('docker-compose.yml')
  const other = compose
    .replaceAll('      CART_TTL_DAYS:\n', '')
    .replace('      SIGNING_KEY_DAYS:\n', '      NOT_READ:\n')
  expect(other).not.toBe(compose)
  expect(withSettingsOfCompose(other)).toBe(compose)
})

test('settings.env of Kubernetes has or names what no Secret has, and no secret: otherwise npm run settings', () => {
  const settings = readText('deploy/kubernetes/base/settings.env')
  const manifests = globSync(READING_SECRETS, { cwd: repository }).map(readText)
  expect(withSettingsOfKubernetes(settings.replace(/^# CART_TTL_DAYS.*\n/m, ''), manifests)).toBe(settings)
  expect(withSettingsOfKubernetes(`CART_TTL_DAYS=60\n${settings}`, manifests)).not.toMatch(/^# CART_TTL_DAYS/m)
  expect(settings).not.toMatch(/^(?:# )?\w*(?:PASSWORD|SECRET|ACCESS_KEY)/m)
})

test('the help names every setting once, with its default, in lines that fit', () => {
  const help = settingsHelp()
  for (const { name } of shownSettings()) expect(help.match(new RegExp(`^ {2}${name} `, 'gm')), name).toHaveLength(1)
  expect(help).toMatch(/^ {2}PORT +Port of the shop\. Everything else uses free ports \(8080\)$/m)
  expect(help.split('\n').filter((line) => line.length > 120)).toEqual([])
})

test('no setting has a default that only a program could read', () => {
  expect(shownSettings().filter((setting) => /undefined|null|\[object/.test(setting.default))).toEqual([])
})
