import type { ServiceName } from '@storefront/contracts'

/** The same on every machine. */
export const PORTS = {
  etcd: 2379,
  etcdPeers: 2380,
  patroni: 8008,
  postgres: 5432,
  /** HAProxy leads from here to the PostgreSQL that accepts writes. */
  postgresPrimary: 5000,
  /** And from here to one that replicates it. */
  postgresStandby: 5001,
  haproxyHealth: 5080,
  nats: 4222,
  natsCluster: 6222,
  natsMonitor: 8222,
  redis: 6379,
  sentinel: 26_379,
} as const

export const SERVICE_PORTS: Record<ServiceName, number> = {
  gateway: 8080,
  catalog: 8081,
  cart: 8082,
  orders: 8083,
  identity: 8084,
  notifier: 8085,
}

export const METRICS_PORTS: Record<ServiceName, number> = {
  gateway: 9464,
  catalog: 9465,
  cart: 9466,
  orders: 9467,
  identity: 9468,
  notifier: 9469,
}

/** On this computer, outside the machines. */
export const MAILBOX_PORTS = { pages: 8025, smtp: 1025 }
export const FRONT_HEALTH_PORT = 9090
