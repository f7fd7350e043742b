import { readConfig } from '@storefront/service'
import { z } from 'zod'
import { messageOf, StartError } from './start-error.ts'

const REPLICAS = 'must be a number from 1 to 5'
const BYTES = 'must be a number of bytes, 1048576 or more'

/** Variables of the event streams: every command that creates or updates them reads both. */
export const StreamSettings = z.object({
  NATS_REPLICAS: z.coerce.number(REPLICAS).int(REPLICAS).min(1, REPLICAS).max(5, REPLICAS).optional(),
  STREAM_MAX_BYTES: z.coerce.number(BYTES).int(BYTES).min(1_048_576, BYTES).optional(),
})

/**
 * How streams are created or updated: by each command in the same way with the same variables.
 * @param cluster name of the NATS cluster; undefined for a single server
 * @returns options of `prepareStreams`; without NATS_REPLICAS, three replicas in a cluster
 * @throws StartError that names the variables that are not valid
 */
export function streamOptions(
  env: NodeJS.ProcessEnv,
  cluster: string | undefined,
): { replicas: number; maxBytes?: number } {
  const { NATS_REPLICAS: replicas, STREAM_MAX_BYTES: maxBytes } = readVariables(env)
  return {
    replicas: replicas ?? (cluster === undefined ? 1 : 3),
    ...(maxBytes !== undefined && { maxBytes }),
  }
}

function readVariables(env: NodeJS.ProcessEnv): z.output<typeof StreamSettings> {
  try {
    return readConfig(StreamSettings, env)
  } catch (error) {
    throw new StartError(`The streams cannot be created, because ${messageOf(error)}`)
  }
}
