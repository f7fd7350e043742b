import { sendPublicJson, type App } from '@storefront/http'
import { StorefrontConfiguration } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { withAbsolutePictures } from './local-pictures.ts'
import { findSettings, type Settings } from './settings.queries.ts'
import { filled } from './settings-in-force.ts'

/** `:cartId` is replaced by the storefront. */
const OWN_CHECKOUT = '/carts/:cartId/checkout'

export function getStorefrontRoute(app: App, context: { db: Database; publicUrl: string }): void {
  app.get('/storefront', {
    config: { access: 'public' },
    schema: {
      summary: 'The storefront configuration',
      description:
        'Everything that is set for visitors; settings that are left out keep the default of the storefront. Mail settings ' +
        'and secrets are not in it.',
      response: { 200: StorefrontConfiguration },
    },
    handler: async (_request, reply) =>
      sendPublicJson(reply, JSON.stringify(await storefrontResponse(context.db, context.publicUrl)), ['settings']),
  })
}

/**
 * The document for visitors: with its version and absolute addresses of pictures on this server, and without mail
 * settings, which are private to merchants.
 */
export async function storefrontResponse(db: Database | Tx, publicUrl: string): Promise<StorefrontConfiguration> {
  const { version, document: stored } = await findSettings(db)
  const { notifications: _notifications, checkout, ...shown } = stored
  const document = { ...shown, ...(checkout !== undefined && { checkout: withOwnCheckout(checkout) }) }
  return configurationResponse({ version, document }, publicUrl)
}

/** The whole document of a version that was read or saved before. */
export function configurationResponse({ version, document }: Settings, publicUrl: string): StorefrontConfiguration {
  return StorefrontConfiguration.parse({ ...Object(withAbsolutePictures(document, publicUrl)), version })
}

/** Adds the address of this shop's checkout, unless another is set: without one, the storefront has no checkout. */
function withOwnCheckout(checkout: StorefrontConfiguration['checkout']): StorefrontConfiguration['checkout'] {
  return checkout && { ...checkout, createUrl: filled(checkout.createUrl) ?? OWN_CHECKOUT }
}
