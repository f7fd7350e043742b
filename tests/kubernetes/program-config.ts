import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { z } from 'zod'
import { repository } from './manifests.ts'

/** The programs that serve HTTP: the services, and the storefront in front of them. */
export const PROGRAMS = [...SERVICE_NAMES, 'storefront'] as const
export type Program = ServiceName | 'storefront'

/**
 * The schema with which a program reads its environment; it is imported from the file, because programs export nothing.
 */
export async function configOf(program: Program): Promise<z.ZodType> {
  const folder = program === 'storefront' ? 'apps' : 'services'
  const file = pathToFileURL(join(repository, folder, program, 'src/config.ts')).href
  const exported = z.record(z.string(), z.unknown()).parse(await import(/* @vite-ignore */ file))
  const name = `${program.slice(0, 1).toUpperCase()}${program.slice(1)}Config`
  return z.instanceof(z.ZodType).parse(exported[name])
}

/** The variables that a program reads. */
export async function variablesOf(program: Program): Promise<string[]> {
  const { properties } = z.toJSONSchema(await configOf(program), { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties ?? {})
}
