import { createPublicKey, sign, verify } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readActorKeys, readSecret, replaceSecrets, secretsPath } from './secrets.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'storefront-secrets-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('a secret is created once, and stays the same from then on', () => {
  const first = readSecret(dataDir, 'redisPassword')
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(readSecret(dataDir, 'postgresPassword')).not.toBe(first)
  expect(readSecret(dataDir, 'redisPassword')).toBe(first)
})

it('the file of secrets can be read only by its owner', () => {
  readSecret(dataDir, 'redisPassword')
  expect(statSync(secretsPath(dataDir)).mode & 0o777).toBe(0o600)
})

it('the secrets of a backup replace those that are there', () => {
  readSecret(dataDir, 'redisPassword')
  const backup = '{ "redisPassword": "of the backup" }\n'
  replaceSecrets(dataDir, backup)
  expect(readSecret(dataDir, 'redisPassword')).toBe('of the backup')
  expect(readFileSync(secretsPath(dataDir), 'utf8')).toBe(backup)
  expect(statSync(secretsPath(dataDir)).mode & 0o777).toBe(0o600)
})

it.each(['', '{ "redisPassword": ', '[]', '{ "redisPassword": 1 }'])('%j replaces no secrets', (text) => {
  const first = readSecret(dataDir, 'redisPassword')
  expect(() => replaceSecrets(dataDir, text)).toThrow('take that of another backup')
  expect(readSecret(dataDir, 'redisPassword')).toBe(first)
  expect(readdirSync(dataDir)).toEqual(['secrets.json'])
})

it('the keys of actors form a pair, and stay the same', () => {
  const { privateKey, publicKey } = readActorKeys(dataDir)
  const message = Buffer.from('who is asking')
  const signature = sign(null, message, { key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' })
  expect(verify(null, message, spki, signature)).toBe(true)
  expect(readActorKeys(dataDir)).toEqual({ privateKey, publicKey })
})

it('an unreadable file of secrets is an error that names what to do', () => {
  writeFileSync(secretsPath(dataDir), '{ "redisPassword": ')
  expect(() => readSecret(dataDir, 'redisPassword')).toThrow(
    /restore it from a backup\. Without one, npm start -- --reset deletes/,
  )
})
