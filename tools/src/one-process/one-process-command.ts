import type { ServiceName } from '@storefront/contracts'
import type { Command } from '../infrastructure/child-process.ts'
import type { Programs } from '../programs/build-programs.ts'
import { serviceCommand } from '../service-command.ts'

/** The command that runs the six services in one process. @param environments the environment of each service */
export function oneProcessCommand(
  environments: Record<ServiceName, Record<string, string>>,
  programs: Programs,
): Command {
  // Variables that Node and OpenTelemetry read from the environment of the process instead of a service's
  // configuration.
  const ofProcess = Object.entries(environments.gateway).filter(
    ([name]) => ['PATH', 'HOME', 'TZ', 'NODE_EXTRA_CA_CERTS'].includes(name) || name.startsWith('OTEL_'),
  )
  return serviceCommand(
    'tools/src/one-process/main.ts',
    { ...Object.fromEntries(ofProcess), SERVICE_ENVIRONMENTS: JSON.stringify(environments) },
    programs,
  )
}
