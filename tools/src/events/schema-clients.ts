import type { ServiceName } from '@storefront/contracts'
import { Client } from 'pg'
import { SERVICES_WITH_DATA } from '../prepare.ts'
import type { ShopAddresses } from '../shop-addresses.ts'

const CONNECT_TIMEOUT_MS = 5000

export interface SchemaClients {
  /** The connection to the database with the schema of this service. */
  of: (service: ServiceName) => Client
  close: () => Promise<void>
}

/** Connects to each database that has schemas of the shop; most shops have one. */
export async function openSchemaClients(addresses: Pick<ShopAddresses, 'databaseOf'>): Promise<SchemaClients> {
  const clients = new Map<string, Client>()
  const close = async (): Promise<void> => {
    await Promise.all([...clients.values()].map((client) => client.end()))
  }
  try {
    for (const address of new Set(SERVICES_WITH_DATA.map((service) => addresses.databaseOf(service)))) {
      const client = new Client({ connectionString: address, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
      client.on('error', () => {}) // The next query fails with the error.
      clients.set(address, client)
      await client.connect()
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    of: (service) => {
      const client = clients.get(addresses.databaseOf(service))
      if (!client) throw new Error(`${service} has no database`)
      return client
    },
    close,
  }
}
