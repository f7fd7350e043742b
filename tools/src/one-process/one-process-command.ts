import type { ServiceName } from '@storefront/contracts'
import { join } from 'node:path'
import type { Command } from '../infrastructure/child-process.ts'
import { nodeCommand, programFile } from '../service-command.ts'

/**
 * The command that runs the six services in one process.
 * @param environments the environment of each service
 * @param programs the folder that `buildPrograms` returned; without it the sources run
 */
export function oneProcessCommand(
  environments: Record<ServiceName, Record<string, string>>,
  cacheDir: string,
  programs?: string,
): Command {
  // Variables that Node and OpenTelemetry read from the environment of the process instead of a service's
  // configuration.
  const ofProcess = Object.entries(environments.gateway).filter(
    ([name]) => ['PATH', 'HOME', 'TZ', 'NODE_EXTRA_CA_CERTS'].includes(name) || name.startsWith('OTEL_'),
  )
  return nodeCommand(
    programFile(join('tools', 'src', 'one-process', 'main.ts'), programs),
    { ...Object.fromEntries(ofProcess), SERVICE_ENVIRONMENTS: JSON.stringify(environments) },
    cacheDir,
  )
}
