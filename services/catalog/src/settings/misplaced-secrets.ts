import { CREDENTIAL_KEYS } from '@storefront/contracts'

/** Names that are secrets in any spelling, and must not be in the configuration, which every visitor reads. */
const SECRETS = new Set(CREDENTIAL_KEYS.map(lettersOf))

type SettingPath = readonly string[]

/** The paths of credentials in a configuration, at any depth. */
export function pathsOfSecrets(value: unknown, at: SettingPath = []): SettingPath[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    isSecret(value, key) ? [[...at, key]] : pathsOfSecrets(each, [...at, key]),
  )
}

/** The same document without them. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (isSecret(value, key) ? [] : [[key, withoutSecrets(each)]])),
  )
}

function isSecret(holder: object, key: string): boolean {
  return !Array.isArray(holder) && SECRETS.has(lettersOf(key))
}

function lettersOf(name: string): string {
  return name.replaceAll(/[^a-z]/gi, '').toLowerCase()
}
