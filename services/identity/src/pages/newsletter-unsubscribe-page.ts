import type { App } from '@storefront/http'
import { htmlOf } from './page.ts'

const PAGE = htmlOf({
  title: 'Unsubscribe',
  explanation: 'You will no longer receive our newsletter.',
  button: 'Unsubscribe',
  done: 'You have been unsubscribed. We are sorry to see you go.',
  assets: '../auth',
})

export function newsletterUnsubscribePage(app: App): void {
  app.get('/newsletter/unsubscribe', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(PAGE),
  )
}
