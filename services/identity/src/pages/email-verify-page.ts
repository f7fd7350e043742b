import type { App } from '@storefront/http'
import { htmlOf } from './page.ts'

const PAGE = htmlOf({
  title: 'Confirm your email address',
  explanation: 'Please confirm that this email address is yours.',
  button: 'Confirm email address',
  done: 'Thank you. Your email address is confirmed.',
  password: 'current-when-requested',
  assets: '..',
})

export function emailVerifyPage(app: App): void {
  app.get('/auth/email/verify', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(PAGE),
  )
}
