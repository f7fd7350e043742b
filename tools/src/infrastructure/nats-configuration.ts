import type { NatsUser as ServiceUser } from '@storefront/contracts'

/** Without permissions, the user may do everything. */
export interface NatsUser extends Partial<Pick<ServiceUser, 'permissions'>> {
  name: string
  password: string
}

interface NatsConfigurationOptions {
  listen: string
  storeDir: string
  users: NatsUser[]
  settings?: Record<string, string>
}

/** Written as JSON, which NATS accepts as configuration, so that no value needs special escaping. */
export function natsConfiguration({ listen, storeDir, users, settings = {} }: NatsConfigurationOptions): string {
  const configuration = {
    server_name: 'storefront',
    listen,
    jetstream: { store_dir: storeDir, max_memory_store: 67_108_864, max_file_store: 4_294_967_296 },
    authorization: natsAuthorization(users),
    ...settings,
  }
  return `${JSON.stringify(configuration, null, 2)}\n`
}

/** The part `authorization` of a configuration, for servers that read the other parts from elsewhere. */
export function natsAuthorization(users: readonly NatsUser[]): object {
  return {
    // The default of two seconds is too short on a busy machine: a client that is late would be rejected.
    timeout: 10,
    users: users.map(({ name, password, permissions }) => ({
      user: name,
      password,
      ...(permissions && { permissions }),
    })),
  }
}
