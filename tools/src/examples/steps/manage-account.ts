import { textAt } from '../read-value.ts'
import type { Caller } from '../caller.ts'
import { ADDRESS, buy, PASSWORD, register, SHIRT, until, client, type StepContext } from './context.ts'

const EMAIL = 'ada.lovelace@example.com'
const NEW_EMAIL = 'ada@analytical.example'
const NEW_PASSWORD = 'a longer horse battery staple'

/** The account of a customer, from registration to signing out everywhere. */
export async function manageAccount(context: StepContext): Promise<void> {
  const { recorder } = context
  const customer = await register(context, EMAIL)
  await recorder.call(customer, 'GET /me')
  await recorder.call(customer, 'PATCH /me', { body: { phone: '+44 20 7946 0958', marketingOptIn: true } })
  const added = await recorder.call(customer, 'POST /me/addresses', { body: { ...ADDRESS, isDefault: true } })
  const path = { id: textAt(added, 'addresses', 0, 'id') }
  await recorder.call(customer, 'PATCH /me/addresses/{id}', { path, body: { line1: '13 St James Square' } })
  await recorder.call(customer, 'POST /me/wishlist', { body: { product_slug: SHIRT } })
  await recorder.call(customer, 'GET /me/wishlist')
  await recorder.call(customer, 'DELETE /me/wishlist/{slug}', { path: { slug: SHIRT } })
  await buy(context, customer, EMAIL)
  await recorder.call(customer, 'GET /orders', { query: { per_page: '2' } })
  const review = { author: 'Ada', rating: 5, body: 'Light, cool, and the collar sits well.', size: 'M', fit: 'true' }
  await recorder.call(customer, 'POST /products/{slug}/reviews', { path: { slug: SHIRT }, body: review })
  await confirmEmail(context, customer)
  await changePassword(context, customer)
  await recorder.call(customer, 'GET /me/export')
  await recorder.call(customer, 'DELETE /me/addresses/{id}', { path })
  await recorder.call(customer, 'POST /auth/logout', { body: { everywhere: true } })
}

async function confirmEmail(context: StepContext, customer: Caller): Promise<void> {
  const { recorder } = context
  const token = await tokenFromMail(context, EMAIL, '/auth/email/verify')
  await recorder.call(customer, 'POST /auth/email/verify', { body: { token } })
  await recorder.call(customer, 'POST /auth/email/change', { body: { email: NEW_EMAIL, password: PASSWORD } })
}

async function changePassword(context: StepContext, customer: Caller): Promise<void> {
  const { recorder } = context
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  await recorder.call(customer, 'POST /auth/password/change', { body })
  await recorder.call(client(), 'POST /auth/password/forgot', { body: { email: EMAIL } })
  const token = await tokenFromMail(context, EMAIL, '/auth/password/reset')
  await recorder.call(client(), 'POST /auth/password/reset', { body: { token, password: PASSWORD } })
  const signedIn = await recorder.call(client(), 'POST /auth/login', { body: { email: EMAIL, password: PASSWORD } })
  customer.token = textAt(signedIn, 'token')
}

export async function closeAccount(context: StepContext): Promise<void> {
  const customer = await register(context, 'grace@example.com')
  await context.recorder.call(customer, 'DELETE /me', { body: { password: PASSWORD } })
}

export async function readNewsletter(context: StepContext): Promise<void> {
  const { recorder, admin } = context
  const email = 'reader@example.com'
  await recorder.call(client(), 'POST /newsletter', { body: { email } })
  const token = await tokenFromMail(context, email, '/newsletter/confirm')
  await recorder.call(client(), 'POST /newsletter/confirm', { body: { token } })
  const list = await recorder.call(admin, 'GET /admin/newsletter/subscribers')
  const [, leave = ''] = textAt(list, 'items', 0, 'unsubscribeUrl').split('token=')
  await recorder.call(client(), 'POST /newsletter/unsubscribe', { body: { token: leave } })
}

/** The alert of a shopper who waits for a lower price. */
export async function awaitProduct(context: StepContext): Promise<void> {
  const { recorder } = context
  const email = 'patient@example.com'
  await recorder.call(client(), 'POST /alerts', { body: { kind: 'price-drop', product_slug: SHIRT, email } })
  const token = await tokenFromMail(context, email, '/alerts/confirm')
  await recorder.call(client(), 'POST /alerts/confirm', { body: { token } })
  const end = await tokenFromMail(context, email, '/alerts/unsubscribe')
  await recorder.call(client(), 'POST /alerts/unsubscribe', { body: { token: end } })
}

async function tokenFromMail({ mailbox }: StepContext, email: string, page: string): Promise<string> {
  let token: string | undefined
  await until(`a mail to ${email} links to ${page}`, async () => {
    token = mailbox.tokenFor(email, page)
    return token !== undefined
  })
  return token ?? ''
}
