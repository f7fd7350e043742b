import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node'
import { natsAddress } from '@storefront/messaging'

/** Opens a connection to NATS for one piece of work. @throws Error when no server responds */
export async function withNats<Result>(
  url: string,
  options: NodeConnectionOptions,
  work: (connection: NatsConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect({ ...natsAddress(url), ...options })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}
