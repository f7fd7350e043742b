import { statfs } from 'node:fs/promises'
import { systemClock, type Clock } from '@storefront/chassis'
import { shopAddresses, type ShopAddresses } from '../shop-addresses.ts'

/** What the checks look at; a test hands in a disk that is nearly full, or a clock that is wrong. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>
  addresses: ShopAddresses
  clock: Clock
  /** Bytes of the disk that holds a folder. */
  diskOf: (folder: string) => Promise<{ freeBytes: number; totalBytes: number }>
}

export function surroundingsOf(env: NodeJS.ProcessEnv): Surroundings {
  return {
    env,
    addresses: shopAddresses(env),
    clock: systemClock,
    async diskOf(folder) {
      const { bavail, blocks, bsize } = await statfs(folder)
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    },
  }
}
