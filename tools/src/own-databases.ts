import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { StartError } from './start-error.ts'

/** The variables that name the server of one service's schema. */
export const OWN_DATABASE_VARIABLES = {
  catalog: 'CATALOG_DATABASE_URL',
  cart: 'CART_DATABASE_URL',
  orders: 'ORDERS_DATABASE_URL',
  identity: 'IDENTITY_DATABASE_URL',
  notifier: 'NOTIFIER_DATABASE_URL',
} as const satisfies Record<Exclude<ServiceName, 'gateway'>, string>

type Variable = (typeof OWN_DATABASE_VARIABLES)[keyof typeof OWN_DATABASE_VARIABLES]

type Environment = Readonly<{ [Name in Variable]?: string | undefined }>

/** Reads which schemas are on servers of their own; all others are where `DATABASE_URL` says. */
export function ownDatabaseUrls(env: Environment): Partial<Record<ServiceName, string>> {
  return Object.fromEntries(
    SERVICE_NAMES.flatMap((service) => {
      const url = service === 'gateway' ? undefined : env[OWN_DATABASE_VARIABLES[service]]
      return url === undefined || url === '' ? [] : [[service, url]]
    }),
  )
}

/** @throws StartError when schemas are on servers of their own, of which a backup cannot read one snapshot */
export function requireOneDatabase(own: Partial<Record<ServiceName, string>>): void {
  const [service] = Object.keys(own)
  if (service === undefined) return
  throw new StartError(
    `A backup is a snapshot of one database, and the schema of ${service} is on a server of its own: back up each server with pgBackRest (docs/operations.md).`,
  )
}
