import type { App, Storefront } from '../server/storefront.ts'
import { robotsText } from './robots-text.ts'

export function robotsRoute(app: App, { frames, config }: Storefront): void {
  app.get('/robots.txt', async (_request, reply) => {
    const { settings } = await frames.read()
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(robotsText(settings.seo, config.STOREFRONT_URL))
  })
}
