import {
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { NAMESPACE_FORMAT } from '@storefront/contracts'
import { natsAddress } from '@storefront/messaging'
import { shopAddresses } from '../shop-addresses.ts'
import { messageOf, StartError } from '../start-error.ts'

const CONNECT_TIMEOUT_MS = 5000
const REQUEST_TIMEOUT_MS = 10_000

/** Access to the streams of a shop, as the user of the migrate step. */
export interface ShopStreams {
  namespace: string
  connection: NatsConnection
  manager: JetStreamManager
  client: JetStreamClient
  close(): Promise<void>
}

/** Distinguishes a missing stream from a NATS that does not respond. */
export function missing(stream: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof JetStreamApiError)) throw error
    throw new StartError(`There is no stream ${stream} (${messageOf(error)}): start the shop, or set NAMESPACE.`)
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * @param options.reconnects reconnects when the connection breaks, for a command that runs until it is stopped
 * @throws StartError with what to do when there is no shop
 */
export async function openShopStreams(env: Environment, options: { reconnects?: boolean } = {}): Promise<ShopStreams> {
  const { nats, namespace } = shopAddresses(env)
  if (!NAMESPACE_FORMAT.test(namespace)) throw new StartError('NAMESPACE must be a lower-case word.')
  const address = addressOf(nats)
  const connection = await connect({
    ...address,
    name: 'events tool',
    timeout: CONNECT_TIMEOUT_MS,
    reconnect: options.reconnects === true,
    maxReconnectAttempts: -1,
  }).catch((error: unknown): never => {
    throw new StartError(
      `NATS does not respond at ${address.servers.join(', ')} (${messageOf(error)}): start the shop, or set NATS_URL.`,
    )
  })
  try {
    const manager = await jetstreamManager(connection, { timeout: REQUEST_TIMEOUT_MS })
    const client = jetstream(connection, { timeout: REQUEST_TIMEOUT_MS })
    return { namespace, connection, manager, client, close: () => connection.close() }
  } catch (error) {
    await connection.close()
    throw new StartError(
      `NATS at ${address.servers.join(', ')} does not allow access to its streams (${messageOf(error)}): NATS_URL must name the user of the migrate step.`,
    )
  }
}

function addressOf(url: string): ReturnType<typeof natsAddress> {
  try {
    return natsAddress(url)
  } catch {
    // Without the address, which may contain a password.
    throw new StartError('NATS_URL must be an address such as nats://user:password@host:4222.')
  }
}
