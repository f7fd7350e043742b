import proxy from '@fastify/http-proxy'
import type { App, Storefront } from './storefront.ts'

/** The shop's pictures have addresses of this storefront too: a browser then needs no second connection for them. */
const MEDIA = '/media'

/** Proxies requests for pictures to the shop. */
export async function proxyPictures(app: App, { config }: Storefront): Promise<void> {
  const { SHOP_URL, STOREFRONT_KEY } = config
  await app.register(proxy, {
    upstream: SHOP_URL,
    prefix: MEDIA,
    rewritePrefix: `${new URL(SHOP_URL).pathname.replace(/\/$/, '')}${MEDIA}`,
    httpMethods: ['GET', 'HEAD'],
    replyOptions: {
      // Of the shopper only the address is passed on, for the limits: pictures are the same for everyone.
      rewriteRequestHeaders: ({ ip }, { accept, 'accept-encoding': encoding, 'if-none-match': etag }) => ({
        ...(accept !== undefined && { accept }),
        ...(encoding !== undefined && { 'accept-encoding': encoding }),
        ...(etag !== undefined && { 'if-none-match': etag }),
        ...(STOREFRONT_KEY !== undefined && { 'x-storefront-key': STOREFRONT_KEY }),
        'x-shopper-address': ip,
      }),
    },
  })
}
