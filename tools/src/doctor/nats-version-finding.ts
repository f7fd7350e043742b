import type { Version } from '../infrastructure/program-trial.ts'
import { isRecent } from '../infrastructure/program.ts'
import { fault, ok, warn, type Finding } from './finding.ts'

const LEAST_VERSION: Version = [2, 9]
/** With 2.9 a server of a cluster that was cut off may stay behind (docs/decisions/0105). */
const LEAST_VERSION_IN_CLUSTER: Version = [2, 10]

/** @param version such as `2.10.27` */
export function natsVersionFinding(version: string, isCluster: boolean): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const found = `version ${version}`
  if (!isRecent([major, minor], LEAST_VERSION)) return fault('NATS', found, 'Move to NATS 2.9 or later.')
  if (!isCluster || isRecent([major, minor], LEAST_VERSION_IN_CLUSTER)) return ok('NATS', found)
  return warn(
    'NATS',
    `${found}, in a cluster`,
    'Move to NATS 2.10 or later: a server of 2.9 that was cut off may stay behind the others.',
  )
}
