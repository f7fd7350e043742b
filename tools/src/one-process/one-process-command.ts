import type { ServiceName } from '@storefront/contracts'
import { join } from 'node:path'
import type { Command } from '../infrastructure/child-process.ts'
import { nodeCommand } from '../service-command.ts'

/**
 * How the six services run together in one process.
 * @param environments of each, which may differ in every variable
 */
export function oneProcessCommand(
  environments: Record<ServiceName, Record<string, string>>,
  cacheDir: string,
): Command {
  const { PATH, HOME, TZ, NODE_EXTRA_CA_CERTS } = environments.gateway
  const inherited = Object.entries({ PATH, HOME, TZ, NODE_EXTRA_CA_CERTS }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return nodeCommand(
    join('tools', 'src', 'one-process', 'main.ts'),
    { ...Object.fromEntries(inherited), SERVICE_ENVIRONMENTS: JSON.stringify(environments) },
    cacheDir,
  )
}
