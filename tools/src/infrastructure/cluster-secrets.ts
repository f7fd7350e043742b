import { natsAuthorization, type NatsUser } from './nats-configuration.ts'

/**
 * What deploy/high-availability/nats.conf includes: the users, the password of the routes between servers, and each
 * route with this password, because NATS does not replace variables inside an address.
 * @param routes addresses (`host:port`) at which the servers reach each other
 */
export function natsClusterSecrets(cluster: {
  users: readonly NatsUser[]
  password: string
  routes: readonly string[]
}): string {
  const { users, password, routes } = cluster
  const addresses = routes.map((route, index) => [`ROUTE_${index + 1}`, `nats://route:${password}@${route}`])
  const configuration = {
    ROUTE_PASSWORD: password,
    ...Object.fromEntries(addresses),
    authorization: natsAuthorization(users),
  }
  return `${JSON.stringify(configuration, null, 2)}\n`
}

/**
 * The passwords of PostgreSQL and Patroni, as the file that Patroni merges with deploy/high-availability/patroni.yml.
 * JSON is YAML.
 */
export function patroniSecrets(passwords: { superuser: string; replication: string; restApi: string }): string {
  const configuration = {
    // Reads need no password; a failover, a restart or another configuration does.
    restapi: { authentication: { username: 'patroni', password: passwords.restApi } },
    postgresql: {
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication: { username: 'replicator', password: passwords.replication },
      },
    },
  }
  return `${JSON.stringify(configuration, null, 2)}\n`
}
