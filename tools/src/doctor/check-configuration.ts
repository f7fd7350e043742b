import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { readConfig, ConfigurationError } from '@storefront/service'
import { SERVICE_NAMES } from '@storefront/contracts'
import { z } from 'zod'
import { readSettings } from '../shop-settings.ts'
import { StartError } from '../start-error.ts'
import type { DoctorContext } from './doctor-context.ts'
import { invalidExpectations } from './expected-replicas.ts'
import { fault, ok, type Finding } from './finding.ts'

const repository = join(import.meta.dirname, '../../..')

/**
 * Checks the launcher's settings or, with `service`, what that service reads from this environment. Findings name every
 * fault and no value, because values may be secret.
 */
export async function checkConfiguration({ env }: DoctorContext, service: string | undefined): Promise<Finding> {
  if (service === undefined) {
    try {
      readSettings(env)
      const invalid = invalidExpectations(env)
      if (invalid.length > 0) {
        return fault('configuration', invalid.join('; '), 'Correct these variables of the doctor.')
      }
      return ok('configuration', 'npm start can read it')
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      return fault('configuration', error.message, 'Correct these variables and start again.')
    }
  }
  const check = `configuration of ${service}`
  const name = SERVICE_NAMES.find((known) => known === service)
  if (name === undefined) {
    return fault(check, 'there is no such service', `Name one of ${SERVICE_NAMES.join(', ')} after --service.`)
  }
  try {
    readConfig(await schemaOf(name), { ...env })
    return ok(check, 'the service can read it')
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return fault(check, error.message, 'Correct these variables of the service and restart it.')
  }
}

/** Imports the file by its path, because services export nothing: no service may depend on another. */
async function schemaOf(service: string): Promise<z.ZodType> {
  const file = pathToFileURL(join(repository, 'services', service, 'src/config.ts'))
  const exported: unknown = await import(file.href)
  const name = `${service.charAt(0).toUpperCase()}${service.slice(1)}Config`
  return z.looseObject({ [name]: z.instanceof(z.ZodType) }).parse(exported)[name] ?? z.never()
}
