import compress from '@fastify/compress'
import fastify, { LogController } from 'fastify'
import { resolve } from 'node:path'
import { PageCache } from '../cache/page-cache.ts'
import type { StorefrontConfig } from '../config.ts'
import { registerPages } from '../pages/pages.ts'
import { robotsRoute } from '../search-engines/robots.ts'
import { sitemapRoutes } from '../search-engines/sitemap.ts'
import { webManifestRoute } from '../search-engines/web-manifest.ts'
import { FrameReader } from '../shop/frame.ts'
import { shopClient } from '../shop/shop-client.ts'
import { addErrorPages } from './error-page.tsx'
import { proxyPictures } from './proxy-pictures.ts'
import { readAssets } from './read-assets.ts'
import { revalidateRoute } from './revalidate.ts'
import { serveFiles } from './serve-files.ts'
import { addSecurity } from './security-headers.ts'
import type { App, Storefront } from './storefront.ts'

/** From `dist/server`, where the built program is. */
const CLIENT_FOLDER = resolve(import.meta.dirname, '../client')
const MIB = 1024 * 1024
/** Of forms, of which a review is the largest: 5,000 characters, each of up to nine bytes. */
const BODY_LIMIT = 64 * 1024

/** @returns the storefront, which does not listen yet */
export async function createStorefront(config: StorefrontConfig): Promise<App> {
  const app = fastify({
    logger: { level: config.LOG_LEVEL, base: { service: 'storefront', pid: process.pid } },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, distance) => distance < config.TRUST_PROXY,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    genReqId: () => `req_${crypto.randomUUID().replaceAll('-', '')}`,
  })
  const shopOptions = { shopUrl: config.SHOP_URL, storefrontKey: config.STOREFRONT_KEY }
  const shop = shopClient(shopOptions)
  const storefront: Storefront = {
    config,
    assets: readAssets(CLIENT_FOLDER),
    shop,
    shopOptions,
    frames: new FrameReader(shop),
    cache: new PageCache(config.PAGE_CACHE_MB * MIB),
  }
  addSecurity(app, storefront)
  addErrorPages(app, storefront)
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024 })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
  // Pages that were rendered are sent while the shop does not respond, so the storefront is ready without it.
  for (const probe of ['/healthz', '/readyz']) app.get(probe, { compress: false }, async () => ({ status: 'ok' }))
  serveFiles(app, CLIENT_FOLDER)
  await proxyPictures(app, storefront)
  revalidateRoute(app, storefront)
  robotsRoute(app, storefront)
  sitemapRoutes(app, storefront)
  webManifestRoute(app, storefront)
  registerPages(app, storefront)
  return app
}
