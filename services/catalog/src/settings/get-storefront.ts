import { sendPublicJson, type App } from '@storefront/chassis'
import { StorefrontConfiguration } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { absoluteUrl } from '../products/product-answer.ts'
import { findSettings, type Settings } from './settings.queries.ts'

/** The configuration document of the storefront. */
export function getStorefrontRoute(app: App, context: { db: Database; publicUrl: string }): void {
  app.get(
    '/storefront',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Configuration'],
        summary: 'The storefront configuration',
        response: { 200: StorefrontConfiguration },
      },
    },
    async (_request, reply) =>
      sendPublicJson(reply, JSON.stringify(await storefrontAnswer(context.db, context.publicUrl)), ['settings']),
  )
}

/**
 * The document as visitors get it: with its version, and pictures on this server with absolute addresses. How mails are sent
 * is the merchant's business.
 */
export async function storefrontAnswer(db: Database | Tx, publicUrl: string): Promise<StorefrontConfiguration> {
  const { version, document } = await findSettings(db)
  const { notifications: _merchants, ...shown } = document
  return configurationAnswer({ version, document: shown }, publicUrl)
}

/** The same, but all of it, of a version that was read or saved already. */
export function configurationAnswer({ version, document }: Settings, publicUrl: string): StorefrontConfiguration {
  return StorefrontConfiguration.parse({ ...Object(withAbsolutePictures(document, publicUrl)), version })
}

function withAbsolutePictures(value: unknown, publicUrl: string): unknown {
  if (typeof value === 'string') return value.startsWith('/media/') ? absoluteUrl(value, publicUrl) : value
  if (Array.isArray(value)) return value.map((each) => withAbsolutePictures(each, publicUrl))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withAbsolutePictures(each, publicUrl)]))
}
