import type { App } from '@storefront/http'
import { htmlOf } from './page.ts'

const PAGE = htmlOf({
  title: 'Choose a new password',
  explanation: 'You will be signed out everywhere and can then sign in with the new password.',
  button: 'Save new password',
  done: 'Your new password is saved. You can now sign in with it.',
  afterConfirmation:
    'Thank you. One more step: choose a password for your account, so that no one else can use it. ' +
    'If you created this account, enter the password that you registered with to keep everything in your account. ' +
    'With another password, the data that was added to the account before is deleted.',
  password: 'new',
  assets: '..',
})

export function passwordResetPage(app: App): void {
  app.get('/auth/password/reset', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(PAGE),
  )
}
