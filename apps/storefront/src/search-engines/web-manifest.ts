import { languageOf } from '../messages/language.ts'
import type { App, Storefront } from '../server/storefront.ts'

/** `--paper` and `--accent` of the light colors. */
const BACKGROUND = '#fffdf9'
const THEME = '#1f3a34'

/** What a phone shows of the shop on its home screen. */
export function webManifestRoute(app: App, { frames }: Storefront): void {
  app.get('/manifest.webmanifest', async (_request, reply) => {
    const { store, pricing } = (await frames.read()).settings
    const { tag, direction, t } = languageOf(pricing?.locale)
    const name = store?.name || t('common.toShop')
    const manifest = {
      id: '/',
      name,
      short_name: name.slice(0, 24),
      description: store?.tagline ?? undefined,
      lang: tag,
      dir: direction,
      start_url: '/',
      scope: '/',
      display: 'standalone',
      background_color: BACKGROUND,
      theme_color: THEME,
      icons: [
        { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    }
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(JSON.stringify(manifest))
  })
}
