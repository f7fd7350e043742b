import type { ServiceDefinition } from '@storefront/service'
import type { ServiceName } from '@storefront/contracts'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'

const services = resolve(import.meta.dirname, '../../../services')

const Module = z.object({
  service: z.custom<ServiceDefinition>((value) => typeof Object(value).configure === 'function'),
})

/** Imports a service by the path of its file, because services export nothing to other packages. */
export async function loadService(name: ServiceName): Promise<ServiceDefinition> {
  const file = pathToFileURL(resolve(services, name, 'src/start.ts')).href
  return Module.parse(await import(/* @vite-ignore */ file)).service
}
