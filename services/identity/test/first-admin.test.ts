import { readConfig } from '@storefront/service'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IdentityConfig } from '../src/config.ts'
import { startIdentity, type RunningIdentity } from '../src/start.ts'
import { ADMIN, configFor } from './setting.ts'

let suite: Suite
const running: RunningIdentity[] = []

beforeAll(async () => {
  suite = await createSuite('identity')
})
afterAll(async () => {
  for (const identity of running) await identity.stop()
  await suite.stop()
})

async function start(changes: Record<string, string> = {}): Promise<RunningIdentity> {
  const identity = await startIdentity(configFor(suite, changes), suite.log)
  running.push(identity)
  return identity
}

const logIn = async ({ app }: RunningIdentity, password: string): Promise<number> => {
  const payload = { email: ADMIN.email, password }
  return (await app.inject({ method: 'POST', url: '/admin/auth/login', payload })).statusCode
}

describe('the first admin', () => {
  test('is created once, also when two replicas start at the same moment', async () => {
    const [one, other] = await Promise.all([start(), start()])
    const rows = await suite.sql('select email, role from identity.admin_users')
    expect(rows).toEqual([{ email: ADMIN.email, role: 'owner' }])
    expect([await logIn(one, ADMIN.password), await logIn(other, ADMIN.password)]).toEqual([200, 200])
  })

  test('keeps the password when the environment has another', async () => {
    const later = await start({ ADMIN_PASSWORD: 'something quite different' })
    expect([await logIn(later, ADMIN.password), await logIn(later, 'something quite different')]).toEqual([200, 401])
  })
})

describe('a production shop', () => {
  const read =
    (email: string, password: string, appEnv = 'production', cost = 'standard') =>
    () =>
      readConfig(IdentityConfig, {
        ...suite.env('identity'),
        APP_ENV: appEnv,
        ADMIN_EMAIL: email,
        ADMIN_PASSWORD: password,
        PUBLIC_URL: 'https://shop.example',
        PASSWORD_HASH_COST: cost,
      })

  test.each([
    'admin',
    'password',
    'changeme',
    'Changeme1234',
    'owner@shop.example',
    'OWNER@shop.example',
    '11 letters.',
  ])('does not start with the admin password %s', (password) => {
    expect(read('owner@shop.example', password)).toThrow('ADMIN_PASSWORD')
    expect(read('owner@shop.example', password, 'development')).not.toThrow()
  })

  test('starts with one of twelve characters that is not a common one', () => {
    expect(read('owner@shop.example', 'x7-quiet-oak')).not.toThrow()
  })

  test('does not start with the lowest cost of password hashes', () => {
    expect(read('owner@shop.example', 'x7-quiet-oak', 'production', 'lowest')).toThrow('PASSWORD_HASH_COST')
    expect(read('owner@shop.example', 'x7-quiet-oak', 'development', 'lowest')).not.toThrow()
  })
})
