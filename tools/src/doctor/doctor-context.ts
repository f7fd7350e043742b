import { statfs } from 'node:fs/promises'
import { systemClock, type Clock } from '@storefront/service'
import { readRunningShop, type RunningShop } from '../running-shop.ts'
import { shopAddresses, type ShopAddresses } from '../shop-addresses.ts'

/** What the checks examine. Tests pass a disk that is nearly full, or a clock that is wrong. */
export interface DoctorContext {
  env: Readonly<Record<string, string | undefined>>
  addresses: ShopAddresses
  /** How the shop that runs in the data folder was started; undefined when none runs. */
  shop: RunningShop | undefined
  clock: Clock
  /** Bytes of the disk that holds a folder. */
  diskOf: (folder: string) => Promise<{ freeBytes: number }>
}

export function doctorContext(env: NodeJS.ProcessEnv): DoctorContext {
  const addresses = shopAddresses(env)
  const shop = readRunningShop(addresses.dataDir)
  return {
    env: { ...shop?.variables, ...env },
    addresses,
    shop,
    clock: systemClock,
    async diskOf(folder) {
      const { bavail, bsize } = await statfs(folder)
      return { freeBytes: bavail * bsize }
    },
  }
}
