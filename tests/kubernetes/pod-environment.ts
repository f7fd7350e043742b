import { z } from 'zod'
import type { Container, Manifest } from './manifests.ts'

export type Secrets = Record<string, Record<string, string>>

/**
 * The environment as a node makes it for a container.
 * @throws Error when a Secret, a key or a variable is missing that must be there: such a pod would not start
 */
export function environmentOf(
  container: Container,
  manifests: readonly Manifest[],
  secrets: Secrets,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const { configMapRef } of container.envFrom) Object.assign(environment, settingsOf(manifests, configMapRef.name))
  for (const { name, value, valueFrom } of container.env) {
    const reference = valueFrom?.secretKeyRef
    if (value !== undefined) environment[name] = expanded(value, environment)
    else if (reference) {
      const secret = secrets[reference.name]?.[reference.key]
      if (secret !== undefined) environment[name] = secret
      else if (!reference.optional) throw new Error(`no key ${reference.key} in the Secret ${reference.name}`)
    }
  }
  return environment
}

/** The content of this ConfigMap. @throws Error when there is none of this name */
export function settingsOf(manifests: readonly Manifest[], name: string): Record<string, string> {
  const found = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)
  return z.record(z.string(), z.string()).parse(found?.['data'])
}

/** Replaces references to variables, which must be defined before. */
function expanded(value: string, known: Record<string, string>): string {
  return value.replaceAll(/\$\((\w+)\)/g, (_reference, name: string) => {
    const found = known[name]
    if (found === undefined) throw new Error(`$(${name}) is used before ${name} is defined`)
    return found
  })
}
