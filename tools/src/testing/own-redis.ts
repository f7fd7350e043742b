import { rm } from 'node:fs/promises'
import { startRedis, type RunningServer } from '../infrastructure/index.ts'
import { packageCache } from './global-setup.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface OwnRedis extends RunningServer {
  /** Stops it, and deletes its data. */
  remove(): Promise<void>
}

/** Starts a Redis for one test file, which may stop and kill it. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const dataDir = await temporaryFolder('storefront-redis')
  const env = { ...process.env, REDIS_URL: undefined }
  const server = await startRedis({ dataDir, cacheDir: packageCache(), env, print: () => {} })
  return Object.assign(server, {
    async remove() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  })
}
