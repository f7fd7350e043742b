import { NamedActor, PERMISSIONS, type AdminRole, type Permission } from '@storefront/contracts'
import { expect } from 'vitest'
import { z } from 'zod'
import { AdminUser } from '../src/admins/admin.ts'
import { ADMIN, claimsOf, tokenOf, type TestResponse, type Setting } from './setting.ts'

export const ADMIN_PASSWORD = 'quite a long password'

const Entry = z.object({
  id: z.int(),
  at: z.string(),
  action: z.string(),
  outcome: z.string(),
  actor: z.string().nullable(),
  by: NamedActor.nullable(),
  subject: z.string().nullable(),
  email: z.string().nullable(),
  fields: z.array(z.string()),
  address: z.string(),
  userAgent: z.string().nullable(),
  requestId: z.string(),
})
const AuditPage = z.strictObject({
  items: z.array(Entry.strict()),
  total: z.int(),
  page: z.int(),
  perPage: z.int(),
  nextBeforeId: z.int().optional(),
})

export interface Person {
  id: string
  sessionId: string
  token: string
  /** Headers of this session, as the gateway would send them. */
  headers: { 'x-actor': string }
}

interface Reauthentication {
  headers: object
  currentPassword: string
}

export interface Admins {
  /** Headers of a secret key with these permissions, or with all. */
  key(permissions?: readonly Permission[]): { 'x-actor': string }
  /** Adds a user as the first owner, or as another admin, whose password is then required. */
  add(given?: {
    role?: AdminRole
    email?: string
    name?: string
    by?: Reauthentication
  }): Promise<{ id: string; email: string }>
  logIn(email: string, given?: { password?: string; code?: string }, headers?: object): Promise<TestResponse>
  /** Fails when the sign-in is rejected. */
  signIn(email: string, given?: { password?: string; code?: string }): Promise<Person>
  owner(): Promise<Person>
  change(id: string, change: object, headers?: object): Promise<TestResponse>
  /** Changes a user as the first owner, with the password of that owner. */
  changeAsOwner(id: string, change: object): Promise<TestResponse>
  show(id: string): Promise<AdminUser | undefined>
  audit(query?: string): Promise<z.output<typeof AuditPage>>
}

/** Helpers that the tests of admin users share. */
export function adminsOf(shop: Setting): Admins {
  let added = 0
  const key: Admins['key'] = (permissions = PERMISSIONS) => shop.asAdmin('key_test', [...permissions])
  const logIn: Admins['logIn'] = (email, { password = ADMIN_PASSWORD, code } = {}, headers) =>
    shop.call('POST', '/admin/auth/login', { email, password, ...(code === undefined ? {} : { code }) }, headers)
  const signIn: Admins['signIn'] = async (email, given) => {
    const response = await logIn(email, given)
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    const token = tokenOf(response)
    const { sub, sid, perms } = z
      .object({ sub: z.string(), sid: z.string(), perms: z.array(z.enum(PERMISSIONS)) })
      .parse(claimsOf(token))
    return { id: sub, sessionId: sid, token, headers: shop.asAdmin(sub, perms, sid) }
  }
  const owner = () => signIn(ADMIN.email, { password: ADMIN.password })
  const reauthenticate = async (): Promise<Reauthentication> => ({
    headers: (await owner()).headers,
    currentPassword: ADMIN.password,
  })
  return {
    key,
    logIn,
    signIn,
    owner,
    async add({ role = 'merchandiser', email = `admin${++added}@shop.example`, name = 'Grace', by } = {}) {
      const body = { email, name, role, password: ADMIN_PASSWORD }
      const { headers, currentPassword } = by ?? (await reauthenticate())
      const response = await shop.call('POST', '/admin/users', { ...body, currentPassword }, headers)
      expect(response.status, JSON.stringify(response.body)).toBe(200)
      return AdminUser.parse(response.body)
    },
    change: (id, change, headers = key()) => shop.call('PATCH', `/admin/users/${id}`, change, headers),
    async changeAsOwner(id, change) {
      const { headers, currentPassword } = await reauthenticate()
      return shop.call('PATCH', `/admin/users/${id}`, { ...change, currentPassword }, headers)
    },
    async show(id) {
      const response = await shop.call('GET', '/admin/users', undefined, key())
      const { items, total } = z
        .strictObject({ items: z.array(AdminUser.strict()), total: z.int() })
        .parse(response.body)
      expect(total).toBe(items.length)
      return items.find((user) => user.id === id)
    },
    async audit(query = '') {
      const response = await shop.call('GET', `/admin/auth/audit${query}`, undefined, key())
      expect(response.status, JSON.stringify(response.body)).toBe(200)
      return AuditPage.parse(response.body)
    },
  }
}
