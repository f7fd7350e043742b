import { readSecret } from '../secrets.ts'
import { readShopSecrets, type ShopSecrets } from '../shop-secrets.ts'
import type { ShopSettings } from '../shop-settings.ts'
import type { DatabasePasswords } from './patroni.ts'

export interface ClusterSecrets {
  shop: ShopSecrets
  databases: DatabasePasswords
  /** Of Redis and its sentinels. */
  redis: string
  /** With which the servers of NATS find each other. */
  natsCluster: string
  natsAdministrator: string
}

/** Reads the secrets of a cluster from its data folder, and generates those that are missing. */
export function readClusterSecrets(dataDir: string, settings: ShopSettings): ClusterSecrets {
  return {
    shop: readShopSecrets(dataDir, settings),
    databases: {
      superuser: readSecret(dataDir, 'postgresPassword'),
      replication: readSecret(dataDir, 'replicationPassword'),
      restApi: readSecret(dataDir, 'patroniPassword'),
    },
    redis: readSecret(dataDir, 'redisPassword'),
    natsCluster: readSecret(dataDir, 'natsClusterPassword'),
    natsAdministrator: readSecret(dataDir, 'natsPassword'),
  }
}
