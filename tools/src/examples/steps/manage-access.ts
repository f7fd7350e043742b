import { TOTP } from 'otpauth'
import { textAt } from '../read-value.ts'
import { Caller } from '../caller.ts'
import { PASSWORD, client, type StepContext } from './context.ts'

const EMAIL = 'grace@example.com'
const NEW_PASSWORD = 'a longer horse battery staple'

/** Users, API keys, signing keys, and customers. */
export async function manageAccess({ recorder, admin, adminPassword }: StepContext): Promise<void> {
  const currentPassword = adminPassword
  const person = { email: EMAIL, name: 'Grace Hopper', role: 'merchandiser', password: PASSWORD, currentPassword }
  const path = { id: textAt(await recorder.call(admin, 'POST /admin/users', { body: person }), 'id') }
  await recorder.call(admin, 'GET /admin/users')
  await recorder.call(admin, 'PATCH /admin/users/{id}', { path, body: { role: 'support', currentPassword } })
  await manageOwnAccess(recorder)
  await recorder.call(admin, 'DELETE /admin/users/{id}', { path, body: { currentPassword } })
  const permissions = ['orders:read']
  const key = await recorder.call(admin, 'POST /admin/api-keys', { body: { name: 'Bookkeeping', permissions } })
  await recorder.call(admin, 'GET /admin/api-keys')
  await recorder.call(admin, 'DELETE /admin/api-keys/{id}', { path: { id: textAt(key, 'id') } })
  await recorder.call(admin, 'POST /admin/signing-keys/rotate', { body: { revokePrevious: false } })
  await recorder.call(admin, 'GET /admin/signing-keys')
  await recorder.call(admin, 'GET /admin/auth/audit', { query: { per_page: '2' } })
}

/** The session that a page of the console has in its cookie. */
async function openConsole(recorder: StepContext['recorder'], user: Caller): Promise<void> {
  const body = { email: EMAIL, password: NEW_PASSWORD }
  await recorder.call(client(), 'POST /admin/console/session', { body })
  await recorder.call(user, 'POST /admin/console/session/renew')
  await recorder.call(user, 'DELETE /admin/console/session')
}

/** A user with a second factor. */
async function manageOwnAccess(recorder: StepContext['recorder']): Promise<void> {
  const user = new Caller('admin')
  const body = { email: EMAIL, password: PASSWORD }
  user.token = textAt(await recorder.call(client(), 'POST /admin/auth/login', { body }), 'token')
  await recorder.call(user, 'GET /admin/auth/me')
  const view = { screen: 'orders', name: 'To send', query: '?status=paid&sort=oldest' }
  const saved = await recorder.call(user, 'POST /admin/views', { body: view })
  await recorder.call(user, 'GET /admin/views', { query: { screen: view.screen } })
  await recorder.call(user, 'DELETE /admin/views/{id}', { path: { id: textAt(saved, 'id') } })
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  await recorder.call(user, 'POST /admin/auth/password', { body: change })
  const factor = await recorder.call(user, 'POST /admin/auth/totp', { body: { password: NEW_PASSWORD } })
  const app = new TOTP({ secret: textAt(factor, 'secret') })
  await recorder.call(user, 'POST /admin/auth/totp/confirm', { body: { code: app.generate() } })
  // A code is valid only once. The code of the next half minute is accepted early.
  const code = app.generate({ timestamp: Date.now() + 30_000 })
  await recorder.call(user, 'DELETE /admin/auth/totp', { body: { password: NEW_PASSWORD, code } })
  await openConsole(recorder, user)
  await recorder.call(user, 'POST /admin/auth/logout')
}
