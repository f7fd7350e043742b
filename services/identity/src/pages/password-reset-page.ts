import type { App } from '@storefront/chassis'
import { htmlOf, pageHeaders } from './page.ts'

const PAGE = htmlOf({
  title: 'Choose a new password',
  explanation: 'You will be signed out everywhere and sign in with the new password.',
  button: 'Save new password',
  done: 'Your new password is saved. You can sign in with it now.',
  afterConfirmation:
    'Thank you. One more step: choose a password for your account, so that no one else can use it. ' +
    'If you registered yourself, you may enter the password that you registered with, and everything in your account stays. ' +
    'With another password, what was put into the account before is deleted.',
  password: 'new',
  assets: '..',
})

export function passwordResetPage(app: App): void {
  app.get('/auth/password/reset', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.headers(pageHeaders('text/html')).send(PAGE),
  )
}
