import { readSecret } from '../secrets.ts'
import { readShopSecrets } from '../shop-secrets.ts'
import type { ShopSettings } from '../shop-settings.ts'

export type ClusterSecrets = ReturnType<typeof readClusterSecrets>

/** Reads the secrets of a cluster from its data folder, and generates those that are missing. */
export function readClusterSecrets(dataDir: string, settings: ShopSettings) {
  return {
    shop: readShopSecrets(dataDir, settings),
    databases: {
      superuser: readSecret(dataDir, 'postgresPassword'),
      replication: readSecret(dataDir, 'replicationPassword'),
      restApi: readSecret(dataDir, 'patroniPassword'),
    },
    /** Of Redis and its sentinels. */
    redis: readSecret(dataDir, 'redisPassword'),
    /** With which the servers of NATS find each other. */
    natsCluster: readSecret(dataDir, 'natsClusterPassword'),
    natsAdministrator: readSecret(dataDir, 'natsPassword'),
  }
}
