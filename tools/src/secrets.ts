import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder, throwIfForbidden, writeFileAtomically } from './files.ts'
import { StartError } from './start-error.ts'

const Secrets = z.record(z.string(), z.string())

/**
 * Reads the secret of that name from `<dataDir>/secrets.json`, and generates it on first use.
 * Synchronous, so that two callers in one process cannot overwrite each other's secret between read and write.
 */
export function readSecret(dataDir: string, name: string, make: () => string = randomPassword): string {
  const secrets = readSecrets(dataDir)
  const known = secrets[name]
  if (known !== undefined) return known
  const made = make()
  makeFolder(dataDir)
  writeFileAtomically(secretsPath(dataDir), `${JSON.stringify({ ...secrets, [name]: made }, null, 2)}\n`)
  return made
}

export function hasSecret(dataDir: string, name: string): boolean {
  return readSecrets(dataDir)[name] !== undefined
}

export function secretsPath(dataDir: string): string {
  return join(dataDir, 'secrets.json')
}

/**
 * Replaces the secrets by those of a backup.
 * @param text the content of its secrets.json
 * @throws StartError when it is empty, cut off or something else; the secrets that are there stay
 */
export function replaceSecrets(dataDir: string, text: string): void {
  try {
    Secrets.parse(JSON.parse(text))
  } catch {
    throw new StartError('This is not the secrets.json of a shop, or only a part of it: take that of another backup.')
  }
  writeFileAtomically(secretsPath(dataDir), text)
}

/** 32 random bytes, safe in URLs and configuration files without escaping. */
export function randomPassword(): string {
  return randomBytes(32).toString('base64url')
}

/** The Ed25519 key pair that signs actors: base64url of PKCS 8 DER and of SPKI DER. */
export function readActorKeys(dataDir: string): { privateKey: string; publicKey: string } {
  const privateKey = readSecret(dataDir, 'actorPrivateKey', () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  )
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64url')
  return { privateKey, publicKey }
}

function readSecrets(dataDir: string): Record<string, string> {
  const path = secretsPath(dataDir)
  if (!existsSync(path)) return {}
  try {
    return Secrets.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throwIfForbidden(path, error)
    throw new StartError(
      `${path} cannot be read: restore it from a backup. Without one, npm start -- --reset deletes the data of the shop of npm start, ` +
        'and a new one can be started.',
    )
  }
}
