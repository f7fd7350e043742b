import { manualClock } from '@storefront/service/testing'
import { createHash } from 'node:crypto'
import { Secret, TOTP, URI } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createEncryptions } from '../src/secrets/encryptions.ts'
import { startIdentity } from '../src/start.ts'
import { ADMIN_PASSWORD, adminsOf, type Admins, type Person } from './admins.ts'
import { configFor, createSetting, errorOf, type TestResponse, type Setting } from './setting.ts'

const STEP_MS = 30_000
const SECRETS_KEY = 'a secret of this shop alone'

const clock = manualClock('2026-01-01T12:00:00.000Z')
let shop: Setting
let admins: Admins

beforeAll(async () => {
  shop = await createSetting({ SECRETS_KEY }, clock)
  admins = adminsOf(shop)
})
afterAll(() => shop.stop())

const INVALID = { status: 401, code: 'invalid_credentials' }
const MISSING = { status: 422, code: 'missing_credentials' }
const CONFLICT = { status: 409, code: 'conflict' }
const RATE_LIMITED = { status: 429, code: 'rate_limited' }

/** The code that the app shows at this moment, or this many steps away from it. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() + steps * STEP_MS })

const prepare = (headers: object, body: object | undefined = { password: ADMIN_PASSWORD }) =>
  shop.call('POST', '/admin/auth/totp', body, headers)
const confirm = (headers: object, body?: object) => shop.call('POST', '/admin/auth/totp/confirm', body, headers)
const switchOff = (headers: object, body?: object) => shop.call('DELETE', '/admin/auth/totp', body, headers)

const preparedBy = async (headers: object): Promise<{ secret: string; url: string }> =>
  z.strictObject({ secret: z.string(), url: z.string() }).parse((await prepare(headers)).body)
const recoveryCodesIn = (response: TestResponse): string[] =>
  z.strictObject({ recoveryCodes: z.array(z.string()) }).parse(response.body).recoveryCodes

interface Protected extends Person {
  email: string
  secret: string
  recoveryCodes: string[]
}

/** An admin with the second factor on, whose current code is not used yet. */
async function protectedAdmin(): Promise<Protected> {
  const { email } = await admins.add()
  const person = await admins.signIn(email)
  const { secret } = await preparedBy(person.headers)
  const recoveryCodes = recoveryCodesIn(await confirm(person.headers, { code: codeOf(secret) }))
  clock.advance(3 * STEP_MS)
  return { ...person, email, secret, recoveryCodes }
}

const statuses = (responses: TestResponse[]): number[] =>
  responses.map((response) => response.status).toSorted((one, other) => one - other)

describe('the second factor', () => {
  test('is prepared, confirmed by a code, and required from then on', async () => {
    const { email } = await admins.add({ email: 'grace@shop.example' })
    const { id, headers } = await admins.signIn(email)
    const { secret, url } = await preparedBy(headers)
    expect(Buffer.from(Secret.fromBase32(secret).bytes)).toHaveLength(20)
    expect(URI.parse(url)).toMatchObject({
      issuer: 'shop.example',
      label: email,
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
    })
    expect(URI.parse(url).secret.base32).toBe(secret)

    await admins.signIn(email)
    expect(await admins.show(id)).toMatchObject({ secondFactor: false })
    const codes = recoveryCodesIn(await confirm(headers, { code: codeOf(secret) }))
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){4}$/)
    expect(await admins.show(id)).toMatchObject({ secondFactor: true })
    const me = await shop.call('GET', '/admin/auth/me', undefined, headers)
    expect(me.body).toMatchObject({ user: { secondFactor: true } })

    clock.advance(STEP_MS)
    for (const code of [undefined, '']) {
      const response = await admins.logIn(email, code === undefined ? {} : { code })
      expect(errorOf(response)).toEqual({ status: 401, code: 'second_factor_required' })
      expect(JSON.stringify(response.body)).not.toContain('token')
    }
    expect(errorOf(await admins.logIn(email, { code: '000000' }))).toEqual(INVALID)
    const digits = codeOf(secret)
    await admins.signIn(email, { code: ` ${digits.slice(0, 3)} ${digits.slice(3)} ` })
  })

  test('ends the other sessions of its user when it is switched on, and not with a wrong code', async () => {
    const { email } = await admins.add()
    const [here, there] = [await admins.signIn(email), await admins.signIn(email)]
    const bystander = await admins.owner()
    const openOf = async () => {
      const rows = await shop.suite.sql<{ id: string }>(
        'select id from identity.sessions where revoked_at is null and id = any($1)',
        [[here, there, bystander].map(({ sessionId }) => sessionId)],
      )
      return new Set(rows.map(({ id }) => id))
    }
    const { secret } = await preparedBy(here.headers)
    expect(errorOf(await confirm(here.headers, { code: codeOf(secret, 100) }))).toEqual(INVALID)
    expect(await openOf()).toEqual(new Set([here.sessionId, there.sessionId, bystander.sessionId]))
    recoveryCodesIn(await confirm(here.headers, { code: codeOf(secret) }))
    expect(await openOf()).toEqual(new Set([here.sessionId, bystander.sessionId]))
    clock.advance(3 * STEP_MS)
  })

  test('is not requested or revealed with a wrong password', async () => {
    const { email, secret } = await protectedAdmin()
    for (const code of [undefined, codeOf(secret), '000000']) {
      const given = { password: 'wrong', ...(code === undefined ? {} : { code }) }
      expect(errorOf(await admins.logIn(email, given))).toEqual(INVALID)
    }
    await admins.signIn(email, { code: codeOf(secret) })
  })

  test('accepts a code one step before or after the current one, and none further away', async () => {
    for (const [steps, isValid] of [
      [-2, false],
      [-1, true],
      [0, true],
      [1, true],
      [2, false],
    ] as const) {
      const { email, secret } = await protectedAdmin()
      const response = await admins.logIn(email, { code: codeOf(secret, steps) })
      expect(response.status, `${steps} steps away`).toBe(isValid ? 200 : 401)
    }
  })

  test('accepts a code once, and afterwards no older one', async () => {
    const { email, secret } = await protectedAdmin()
    const [older, current, newer] = [codeOf(secret, -1), codeOf(secret), codeOf(secret, 1)]
    await admins.signIn(email, { code: current })
    expect(errorOf(await admins.logIn(email, { code: current }))).toEqual(INVALID)
    expect(errorOf(await admins.logIn(email, { code: older }))).toEqual(INVALID)
    await admins.signIn(email, { code: newer })
    expect(errorOf(await admins.logIn(email, { code: newer }))).toEqual(INVALID)
  })

  test('does not accept again the code that confirmed it', async () => {
    const { email } = await admins.add()
    const { headers } = await admins.signIn(email)
    const { secret } = await preparedBy(headers)
    const code = codeOf(secret)
    expect((await confirm(headers, { code })).status).toBe(200)
    expect(errorOf(await admins.logIn(email, { code }))).toEqual(INVALID)
  })

  test('accepts one of many concurrent requests with one code, over two replicas', async () => {
    const other = await startIdentity(configFor(shop.suite, { SECRETS_KEY }), shop.suite.log, clock)
    const { email, secret, recoveryCodes } = await protectedAdmin()
    for (const code of [codeOf(secret), recoveryCodes[0] ?? '']) {
      const responses = await Promise.all(
        [shop.identity.app, other.app, shop.identity.app, other.app].map((app) =>
          app.inject({
            method: 'POST',
            url: '/admin/auth/login',
            payload: { email, password: ADMIN_PASSWORD, code },
          }),
        ),
      )
      expect(responses.map((response) => response.statusCode).toSorted((one, other) => one - other)).toEqual([
        200, 401, 401, 401,
      ])
    }
    await other.stop()
  })
})

describe('a recovery code', () => {
  test('replaces the device once, in any spelling', async () => {
    const { id, email, secret, recoveryCodes } = await protectedAdmin()
    const [first = '', second = '', third = ''] = recoveryCodes
    await admins.signIn(email, { code: first })
    expect(errorOf(await admins.logIn(email, { code: first }))).toEqual(INVALID)
    await admins.signIn(email, { code: second.toLowerCase().replaceAll('-', '  ') })
    expect(errorOf(await admins.logIn(email, { code: second }))).toEqual(INVALID)
    await admins.signIn(email, { code: codeOf(secret) })
    await admins.signIn(email, { code: third })
    const stored = await shop.suite.sql('select 1 from identity.admin_recovery_codes where admin_user_id = $1', [id])
    expect(stored).toHaveLength(7)
  })

  test('belongs to one user and one preparation', async () => {
    const [one, other] = [await protectedAdmin(), await protectedAdmin()]
    expect(errorOf(await admins.logIn(other.email, { code: one.recoveryCodes[0] ?? '' }))).toEqual(INVALID)
    await switchOff(one.headers, { password: ADMIN_PASSWORD, code: codeOf(one.secret) })
    const { secret } = await preparedBy(one.headers)
    clock.advance(STEP_MS)
    expect((await confirm(one.headers, { code: codeOf(secret) })).status).toBe(200)
    for (const code of one.recoveryCodes.slice(0, 2)) {
      expect(errorOf(await admins.logIn(one.email, { code }))).toEqual(INVALID)
    }
  })
})

describe('switching it on', () => {
  test('requires the password, and a code of the latest prepared secret', async () => {
    const { headers } = await admins.signIn((await admins.add()).email)
    for (const body of [{}, { password: '' }, { password: null }]) {
      expect(errorOf(await prepare(headers, body))).toEqual(MISSING)
    }
    expect(errorOf(await shop.call('POST', '/admin/auth/totp', undefined, headers))).toEqual(MISSING)
    expect(errorOf(await prepare(headers, { password: 'wrong' }))).toEqual(INVALID)

    const former = await preparedBy(headers)
    const { secret } = await preparedBy(headers)
    expect(secret).not.toBe(former.secret)
    for (const body of [undefined, {}, { code: '' }]) expect(errorOf(await confirm(headers, body))).toEqual(MISSING)
    for (const code of [codeOf(former.secret), 'abc', 'x'.repeat(10_000)]) {
      expect(errorOf(await confirm(headers, { code }))).toEqual(INVALID)
    }
    expect((await confirm(headers, { code: codeOf(secret) })).status).toBe(200)
  })

  test('cannot be confirmed before it is prepared, nor prepared or confirmed when it is on', async () => {
    const { headers } = await admins.signIn((await admins.add()).email)
    expect(errorOf(await confirm(headers, { code: '123456' }))).toEqual(CONFLICT)
    const admin = await protectedAdmin()
    expect(errorOf(await prepare(admin.headers))).toEqual(CONFLICT)
    expect(errorOf(await confirm(admin.headers, { code: codeOf(admin.secret) }))).toEqual(CONFLICT)
    await admins.signIn(admin.email, { code: codeOf(admin.secret) })
  })

  test('returns recovery codes once in two concurrent confirmations', async () => {
    const { headers } = await admins.signIn((await admins.add()).email)
    const code = codeOf((await preparedBy(headers)).secret)
    expect(statuses(await Promise.all([confirm(headers, { code }), confirm(headers, { code })]))).toEqual([200, 409])
  })

  test('is rejected for secret keys and customers', async () => {
    const { customer } = await shop.register()
    for (const headers of [admins.key(), shop.as(customer.id)]) {
      const responses = [
        await prepare(headers),
        await confirm(headers, { code: '123456' }),
        await switchOff(headers, { password: ADMIN_PASSWORD, code: '123456' }),
      ]
      expect(statuses(responses)).toEqual([403, 403, 403])
    }
    expect((await prepare({})).status).toBe(401)
  })
})

describe('switching it off', () => {
  test('requires the password and a code, of the app or for recovery', async () => {
    const { id, email, headers, secret, recoveryCodes } = await protectedAdmin()
    const password = ADMIN_PASSWORD
    for (const body of [undefined, {}, { password }, { code: codeOf(secret) }, { password: '', code: '' }]) {
      expect(errorOf(await switchOff(headers, body))).toEqual(MISSING)
    }
    expect(errorOf(await switchOff(headers, { password: 'wrong', code: codeOf(secret) }))).toEqual(INVALID)
    expect(errorOf(await switchOff(headers, { password, code: '000000' }))).toEqual(INVALID)
    expect(await switchOff(headers, { password, code: recoveryCodes[9] })).toMatchObject({
      status: 200,
      body: { ok: true },
    })
    expect(await admins.show(id)).toMatchObject({ secondFactor: false })
    expect(errorOf(await switchOff(headers, { password, code: codeOf(secret) }))).toEqual(CONFLICT)
    await admins.signIn(email)
  })

  test('is not possible for one that is only prepared', async () => {
    const { headers } = await admins.signIn((await admins.add()).email)
    const { secret } = await preparedBy(headers)
    const confirmation = { password: ADMIN_PASSWORD, code: codeOf(secret) }
    expect(errorOf(await switchOff(headers, confirmation))).toEqual(CONFLICT)
  })

  test('can be done by an owner for a user who lost the device', async () => {
    const { id, email } = await protectedAdmin()
    const response = await admins.changeAsOwner(id, { secondFactor: false })
    expect(response).toMatchObject({ status: 200, body: { id, secondFactor: false } })
    await admins.signIn(email)
    expect(await shop.suite.sql('select 1 from identity.admin_recovery_codes where admin_user_id = $1', [id])).toEqual(
      [],
    )
  })
})

describe('wrong codes', () => {
  test('are checked five times in a quarter of an hour, on all routes together', async () => {
    const { email, headers, secret, recoveryCodes } = await protectedAdmin()
    for (let tries = 0; tries < 4; tries++) {
      expect(errorOf(await admins.logIn(email, { code: '000000' }))).toEqual(INVALID)
    }
    expect((await switchOff(headers, { password: ADMIN_PASSWORD, code: 'NOT-A-CODE' })).status).toBe(401)
    for (const code of [codeOf(secret), recoveryCodes[0] ?? '']) {
      const rejected = await admins.logIn(email, { code })
      expect(errorOf(rejected)).toEqual(RATE_LIMITED)
      expect(rejected.headers['retry-after']).toBe('900')
    }
    expect((await switchOff(headers, { password: ADMIN_PASSWORD, code: codeOf(secret) })).status).toBe(429)
    expect(errorOf(await admins.logIn(email))).toMatchObject({ code: 'second_factor_required' })
    const bystander = await protectedAdmin()
    await admins.signIn(bystander.email, { code: codeOf(bystander.secret) })
    clock.advance(15 * 60_000)
    await admins.signIn(email, { code: codeOf(secret) })
    await admins.signIn(email, { code: recoveryCodes[0] ?? '' })
  })

  test('are checked five times in twenty concurrent attempts, and a correct one clears the count', async () => {
    const { email, secret } = await protectedAdmin()
    const wrong = (count: number) =>
      Promise.all(Array.from({ length: count }, () => admins.logIn(email, { code: '000000' })))
    await wrong(4)
    await admins.signIn(email, { code: codeOf(secret) })
    const responses = statuses(await wrong(20))
    expect(responses.filter((status) => status === 401)).toHaveLength(5)
    expect(responses.filter((status) => status === 429)).toHaveLength(15)
  })

  test('no longer count when an owner has switched the factor off: another one can be set up at once', async () => {
    const { id, email } = await protectedAdmin()
    for (let tries = 0; tries < 5; tries++) await admins.logIn(email, { code: '000000' })
    expect(errorOf(await admins.logIn(email, { code: '000000' }))).toEqual(RATE_LIMITED)
    expect((await admins.changeAsOwner(id, { secondFactor: false })).status).toBe(200)
    const { headers } = await admins.signIn(email)
    const { secret } = await preparedBy(headers)
    expect((await confirm(headers, { code: codeOf(secret) })).status).toBe(200)
  })
})

describe('an owner with a second factor', () => {
  test('must also send a code to make another owner, which uses up the code', async () => {
    const { email } = await admins.add({ role: 'owner' })
    const { headers, id } = await admins.signIn(email)
    const { secret } = await preparedBy(headers)
    const recoveryCodes = recoveryCodesIn(await confirm(headers, { code: codeOf(secret) }))
    clock.advance(3 * STEP_MS)
    const currentPassword = ADMIN_PASSWORD
    const user = { email: 'second@shop.example', name: 'Second', role: 'owner', password: ADMIN_PASSWORD }
    const addWith = (code?: string, more = {}) =>
      shop.call('POST', '/admin/users', { ...user, currentPassword, code, ...more }, headers)
    expect(errorOf(await addWith())).toEqual(MISSING)
    expect(errorOf(await addWith(''))).toEqual(MISSING)
    expect(errorOf(await addWith('000000'))).toEqual(INVALID)
    const code = codeOf(secret)
    // A request that fails for another reason leaves the code valid.
    expect(errorOf(await addWith(code, { email }))).toMatchObject({ code: 'email_taken' })
    const added = await addWith(code)
    expect(added.status).toBe(200)
    const second = z.object({ id: z.string() }).parse(added.body).id
    expect(errorOf(await admins.change(second, { name: 'x', currentPassword, code }, headers))).toEqual(INVALID)
    const path = `/admin/users/${second}`
    expect(errorOf(await shop.call('DELETE', path, { currentPassword, code }, headers))).toEqual(INVALID)
    const [recovery = '', other = ''] = recoveryCodes
    expect((await admins.change(second, { name: 'x', currentPassword, code: recovery }, headers)).status).toBe(200)
    for (let tries = 0; tries < 5; tries++) await addWith('000000')
    expect(errorOf(await shop.call('DELETE', path, { currentPassword, code: other }, headers))).toEqual(RATE_LIMITED)
    const { items } = await admins.audit(`?actor=${id}&action=create_user&per_page=100`)
    expect(items.map(({ outcome }) => outcome)).toContain('wrong_code')
    clock.advance(15 * 60_000)
    expect((await shop.call('DELETE', path, { currentPassword, code: other }, headers)).status).toBe(200)
  })
})

describe('the secret', () => {
  test('is encrypted, the recovery codes are digests, and neither is stored elsewhere', async () => {
    const { id, email, secret, recoveryCodes } = await protectedAdmin()
    await admins.signIn(email, { code: recoveryCodes[0] ?? '' })
    const factors = await shop.suite.sql('select * from identity.admin_second_factors where admin_user_id = $1', [id])
    expect(factors).toMatchObject([{ sealed_with: 'aes-256-gcm' }])
    const codes = await shop.suite.sql<{ digest: string }>(
      'select digest from identity.admin_recovery_codes where admin_user_id = $1',
      [id],
    )
    const digests = recoveryCodes
      .slice(1)
      .map((code) => createHash('sha256').update(code.replaceAll('-', '')).digest('base64url'))
    expect(codes.map(({ digest }) => digest).toSorted()).toEqual(digests.toSorted())
    const kept = JSON.stringify([
      factors,
      codes,
      await shop.suite.sql('select * from identity.admin_audit'),
      await admins.show(id),
    ])
    for (const hidden of [
      secret,
      ADMIN_PASSWORD,
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replaceAll('-', '')),
    ]) {
      expect(kept).not.toContain(hidden)
    }
  })

  test('cannot be decrypted for another user', async () => {
    const [one, other] = [await protectedAdmin(), await protectedAdmin()]
    await shop.suite.sql(
      `update identity.admin_second_factors as mine set secret = theirs.secret from identity.admin_second_factors as theirs
       where mine.admin_user_id = $1 and theirs.admin_user_id = $2`,
      [one.id, other.id],
    )
    expect(errorOf(await admins.logIn(one.email, { code: codeOf(other.secret) }))).toEqual(INVALID)
  })

  test('that cannot be decrypted accepts only recovery codes, until an owner switches it off', async () => {
    const { id, email, secret, recoveryCodes } = await protectedAdmin()
    const foreign = createEncryptions({ SECRETS_KEY: 'a key that is lost for good' }).secondFactors?.encrypt(secret, id)
    await shop.suite.sql('update identity.admin_second_factors set secret = $1 where admin_user_id = $2', [foreign, id])
    // The start encrypts secrets again, and must not fail because of this one.
    const again = await startIdentity(configFor(shop.suite, { SECRETS_KEY }), shop.suite.log, clock)
    await again.stop()
    expect(await admins.show(id)).toMatchObject({ secondFactor: true })
    expect(errorOf(await admins.logIn(email))).toMatchObject({ code: 'second_factor_required' })
    expect(errorOf(await admins.logIn(email, { code: codeOf(secret) }))).toEqual(INVALID)
    await admins.signIn(email, { code: recoveryCodes[0] ?? '' })
    expect((await admins.changeAsOwner(id, { secondFactor: false })).status).toBe(200)
    await admins.signIn(email)
  })
})

test('a shop that gets a SECRETS_KEY, or another one, encrypts its second factors again', async () => {
  const plain = await createSetting({}, clock)
  const plainAdmins = adminsOf(plain)
  const { id, email } = await plainAdmins.add()
  const { headers } = await plainAdmins.signIn(email)
  const prepared = await plain.call('POST', '/admin/auth/totp', { password: ADMIN_PASSWORD }, headers)
  const { secret } = z.object({ secret: z.string() }).parse(prepared.body)
  await plain.call('POST', '/admin/auth/totp/confirm', { code: codeOf(secret) }, headers)
  const stored = () =>
    plain.suite.sql<{ secret: string; sealed_with: string }>(
      'select secret, sealed_with from identity.admin_second_factors where admin_user_id = $1',
      [id],
    )
  expect(await stored()).toEqual([{ secret, sealed_with: 'nothing' }])

  const NEXT = 'the next secret of this shop'
  for (const keys of [
    { SECRETS_KEY },
    { SECRETS_KEY: NEXT, SECRETS_KEY_PREVIOUS: SECRETS_KEY },
    { SECRETS_KEY: NEXT },
  ]) {
    const identity = await startIdentity(configFor(plain.suite, keys), plain.suite.log, clock)
    expect(await stored()).toMatchObject([{ sealed_with: 'aes-256-gcm' }])
    clock.advance(2 * STEP_MS)
    const payload = { email, password: ADMIN_PASSWORD, code: codeOf(secret) }
    expect((await identity.app.inject({ method: 'POST', url: '/admin/auth/login', payload })).statusCode).toBe(200)
    await identity.stop()
  }
  await plain.stop()
})
