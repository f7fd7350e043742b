import { z } from 'zod'
import type { Manifest } from './manifests.ts'

/** No npm package has the schemas of these, so only a cluster can validate them. */
export const WITHOUT_SCHEMA = ['redis.redis.opstreelabs.in/v1beta2']

const PACKAGES: Record<string, string> = {
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

interface Model {
  validate(): void
}
const ModelClass = z.custom<new (manifest: Manifest) => Model>((value) => typeof value === 'function')

/** The faults that the schemas of Kubernetes and of the operators find, one line each. */
export async function faultsOf(manifests: readonly Manifest[]): Promise<string[]> {
  const found = await Promise.all(manifests.map(faultOf))
  return found.filter((fault) => fault !== undefined)
}

async function faultOf(manifest: Manifest): Promise<string | undefined> {
  const { apiVersion, kind, metadata } = manifest
  if (WITHOUT_SCHEMA.includes(apiVersion)) return undefined
  const name = PACKAGES[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models'
  try {
    const models = z.record(z.string(), z.unknown()).parse(await import(`${name}/${apiVersion}/${kind}`))
    new (ModelClass.parse(models[kind]))(manifest).validate()
    return undefined
  } catch (error) {
    return `${kind} ${metadata.name}: ${error instanceof Error ? error.message : String(error)}`
  }
}
