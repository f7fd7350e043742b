import type { App } from '@storefront/chassis'
import { htmlOf, pageHeaders } from './page.ts'

const PAGE = htmlOf({
  title: 'Confirm your e-mail address',
  explanation: 'Please confirm that this e-mail address is yours.',
  button: 'Confirm e-mail address',
  done: 'Thank you. Your e-mail address is confirmed.',
  password: 'current-when-requested',
  assets: '..',
})

export function emailVerifyPage(app: App): void {
  app.get('/auth/email/verify', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.headers(pageHeaders('text/html')).send(PAGE),
  )
}
