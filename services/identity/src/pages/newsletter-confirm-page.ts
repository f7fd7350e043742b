import type { App } from '@storefront/http'
import { htmlOf } from './page.ts'

const PAGE = htmlOf({
  title: 'Confirm your subscription',
  explanation: 'You requested our newsletter. Please confirm that you want to receive it.',
  button: 'Confirm subscription',
  done: 'Thank you. You are subscribed to our newsletter.',
  assets: '../auth',
})

export function newsletterConfirmPage(app: App): void {
  app.get('/newsletter/confirm', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(PAGE),
  )
}
