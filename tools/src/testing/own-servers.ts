import { rm } from 'node:fs/promises'
import { natsUsers } from '@storefront/contracts'
import { forEachService } from '../for-each-service.ts'
import { startNats, startRedis, type RunningServer, type ServerOptions } from '../infrastructure/index.ts'
import { packageCache } from './global-setup.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type OwnRedis = Awaited<ReturnType<typeof startOwnRedis>>
export type OwnNats = Awaited<ReturnType<typeof startOwnNats>>

/** Starts a Redis for one test file, which may stop and kill it. */
export const startOwnRedis = () => startOwn('storefront-redis', startRedis)

/** The same for NATS, with the users of all services. */
export const startOwnNats = () =>
  startOwn('storefront-nats', (options) => startNats({ ...options, users: natsUsers(forEachService(() => 'test')) }))

async function startOwn<Server extends RunningServer>(
  folder: string,
  start: (options: ServerOptions) => Promise<Server>,
) {
  const dataDir = await temporaryFolder(folder)
  const env = { ...process.env, REDIS_URL: undefined, NATS_URL: undefined }
  const server = await start({ dataDir, cacheDir: packageCache(), env, print: () => {} })
  return Object.assign(server, {
    /** Stops it, and deletes its data. */
    async remove() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  })
}
