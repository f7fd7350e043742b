import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'
import { messageOf } from '../start-error.ts'
import { fault, type Finding } from './finding.ts'
import { START_SERVERS } from './stream-replicas.ts'

const RECOVER =
  'Run npm run events -- recover, which creates it again and publishes again the events that were lost with it.'

/**
 * Why a stream cannot be read. Only one that is missing may be created again.
 * @throws the error of a single server that does not reply
 */
export function streamFault(check: string, error: unknown, cluster: string | undefined): Finding {
  const isApiError = error instanceof JetStreamApiError
  if (isApiError && error.code === JetStreamApiCodes.StreamNotFound) return fault(check, 'is not there', RECOVER)
  if (cluster !== undefined) return fault(check, 'has no leader', START_SERVERS)
  if (!isApiError) throw error
  return fault(
    check,
    `cannot be read (${messageOf(error)})`,
    'Run npm run doctor again in a minute; if it finds the same, read the log of NATS and look at its disk.',
  )
}
