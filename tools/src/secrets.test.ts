import { createPublicKey, sign, verify } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readActorKeys, readSecret, secretsPath } from './secrets.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'storefront-secrets-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('makes a secret once and answers the same from then on', () => {
  const first = readSecret(dataDir, 'redisPassword')
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(readSecret(dataDir, 'postgresPassword')).not.toBe(first)
  expect(readSecret(dataDir, 'redisPassword')).toBe(first)
})

it('keeps them where only the owner can read', () => {
  readSecret(dataDir, 'redisPassword')
  expect(statSync(secretsPath(dataDir)).mode & 0o777).toBe(0o600)
})

it('answers a pair of keys that fit, the same pair each time', () => {
  const { privateKey, publicKey } = readActorKeys(dataDir)
  const message = Buffer.from('who is asking')
  const signature = sign(null, message, { key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' })
  expect(verify(null, message, spki, signature)).toBe(true)
  expect(readActorKeys(dataDir)).toEqual({ privateKey, publicKey })
})

it('says what to do about a file it cannot read', () => {
  writeFileSync(secretsPath(dataDir), '{ "redisPassword": ')
  expect(() => readSecret(dataDir, 'redisPassword')).toThrow(/restore it from a backup, or start again/)
})
