import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '@storefront/tools/launch'
import { listen } from '@storefront/tools/listen'

/** A folder for one shop's data, deleted when the bench is done with it. */
export async function makeDataFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'storefront-bench-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** A shop of its own on this data folder, empty when the folder is, and a storefront that takes its webhooks. */
export async function openShop(options: {
  dataDir: string
  edgeCache: boolean
  postgresSettings?: Record<string, string>
  /** Starts the reference storefront, which takes the webhooks. */
  ownStorefront?: boolean
  /** Where the webhooks go; without it to a server of this process that takes every one. */
  storefrontUrl?: string
  notifierEnvironment?: Record<string, string>
}) {
  const { ownStorefront = false, storefrontUrl } = options
  const storefront = ownStorefront || storefrontUrl !== undefined ? undefined : await openStorefront()
  const shop = await launch({
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      STOREFRONT_URL: storefrontUrl ?? storefront?.url,
      RATE_LIMIT_GENERAL: '0',
      RATE_LIMIT_AUTH: '0',
      RATE_LIMIT_RESET: '0',
      RATE_LIMIT_CHECKOUT: '0',
      RATE_LIMIT_DISCOUNT: '0',
    },
    dataDir: options.dataDir,
    cacheDir: join(tmpdir(), 'storefront-packages'),
    seed: false,
    storefront: ownStorefront,
    print: () => {},
    serviceEnvironment: {
      gateway: { EDGE_CACHE: options.edgeCache ? 'on' : 'off' },
      ...(options.notifierEnvironment && { notifier: options.notifierEnvironment }),
    },
    ...(options.postgresSettings && { infrastructureSettings: { postgres: options.postgresSettings } }),
  }).catch(async (error: unknown) => {
    await storefront?.close()
    throw error
  })
  return {
    shop,
    close: async () => {
      await shop.stop()
      await storefront?.close()
    },
  }
}

/** The storefront's end of the webhooks: it takes every one, as a healthy storefront does. */
function openStorefront() {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-length': 0 }).end()
  })
  return listen(server)
}
