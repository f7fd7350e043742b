import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StorefrontClient } from '@storefront/client'
import type { PageCache } from '../cache/page-cache.ts'
import type { StorefrontConfig } from '../config.ts'
import type { Assets, PageContext } from '../layout/page-context.ts'
import { languageOf } from '../messages/language.ts'
import type { FrameReader } from '../shop/frame.ts'
import { shopClient, type ShopOptions } from '../shop/shop-client.ts'

/** What all pages share. */
export interface Storefront {
  config: StorefrontConfig
  assets: Assets
  /** For public reads, which are the same for all shoppers. */
  shop: StorefrontClient
  shopOptions: ShopOptions
  frames: FrameReader
  cache: PageCache
}

export type App = FastifyInstance
export type { FastifyReply as Reply, FastifyRequest as Request }

/** @param address path and query of the page */
export async function pageContext(storefront: Storefront, address: string): Promise<PageContext> {
  const frame = await storefront.frames.read()
  const language = languageOf(frame.settings.pricing?.locale, frame.settings.commerce?.timeZone)
  const { assets, config } = storefront
  const shopUrl = config.PUBLIC_URL ?? config.SHOP_URL
  return { frame, language, address, storefrontUrl: config.STOREFRONT_URL, shopUrl, assets }
}

/** A client that makes requests for one shopper. */
export function shopFor(storefront: Storefront, request: FastifyRequest, token?: string): StorefrontClient {
  return shopClient(storefront.shopOptions, { address: request.ip, token, requestId: request.id })
}
