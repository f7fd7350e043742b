import { readConfig } from '@storefront/service'
import { z } from 'zod'
import { messageOf, StartError } from './start-error.ts'

/** Variables of the event streams, which the migrate step and the recovery of events read. */
export const StreamSettings = z.object({
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).optional(),
  STREAM_MAX_BYTES: z.coerce.number().int().min(1_048_576).optional(),
})

/**
 * How lost streams are created again: as the migrate step did with the same variables.
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
