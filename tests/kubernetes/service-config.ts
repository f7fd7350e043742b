import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServiceName } from '@storefront/contracts'
import { z } from 'zod'
import { repository } from './manifests.ts'

/**
 * The schema with which a service reads its environment; it is imported from the file, because services export nothing.
 */
export async function configOf(service: ServiceName): Promise<z.ZodType> {
  const file = pathToFileURL(join(repository, 'services', service, 'src/config.ts')).href
  const exported = z.record(z.string(), z.unknown()).parse(await import(/* @vite-ignore */ file))
  const name = `${service.slice(0, 1).toUpperCase()}${service.slice(1)}Config`
  return z.instanceof(z.ZodType).parse(exported[name])
}

/** The variables that a service reads. */
export async function variablesOf(service: ServiceName): Promise<string[]> {
  const { properties } = z.toJSONSchema(await configOf(service), { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties ?? {})
}
