import { createDatabase } from '@storefront/postgres'
import { actorSigner, readConfig, systemClock, type Clock } from '@storefront/service'
import {
  ACTOR_HEADER,
  Customer,
  ErrorBody,
  readEmailAddress,
  type EmailAddress,
  type Permission,
} from '@storefront/contracts'
import { callerOf, createSuite, type Suite, type TestResponse } from '@storefront/tools/testing'
import { z } from 'zod'
import { IdentityConfig } from '../src/config.ts'
import type { Database, IdentityTables } from '../src/database.ts'
import { startIdentity, type RunningIdentity } from '../src/start.ts'

export type { TestResponse }

export const ADMIN = { email: 'owner@shop.example', password: 'a long enough password' }
const YEAR_MS = 365 * 24 * 3600 * 1000
export const PASSWORD = 'correct horse battery'

const SignedIn = z.object({ token: z.string(), customer: Customer })

export interface Setting {
  suite: Suite
  identity: RunningIdentity
  call: ReturnType<typeof callerOf>
  register(email?: string): Promise<z.output<typeof SignedIn>>
  /** Headers of a signed-in customer, as the gateway would send them. */
  as(customerId: string, sessionId?: string): { 'x-actor': string }
  /** Headers of a signed-in admin, as the gateway would send them. */
  asAdmin(userId: string, permissions: Permission[], sessionId?: string): { 'x-actor': string }
  stop(): Promise<void>
}

export function configFor(suite: Suite, changes: Record<string, string> = {}): IdentityConfig {
  return readConfig(IdentityConfig, {
    ...suite.env('identity'),
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    PUBLIC_URL: 'http://shop.example',
    PORT: '0',
    ...changes,
  })
}

/** One running identity service on a database of its own. */
export async function createSetting(
  changes: Record<string, string> = {},
  clock: Clock = systemClock,
): Promise<Setting> {
  const suite = await createSuite('identity')
  const identity = await startIdentity(configFor(suite, changes), suite.log, clock)
  // Ahead of the clock, which tests advance, so that the headers stay valid.
  const signActor = actorSigner(suite.actorPrivateKey, { now: () => new Date(clock.now().getTime() + YEAR_MS) })
  let customers = 0

  const call = callerOf(identity.app)

  return {
    suite,
    identity,
    call,
    async register(email = `customer${++customers}@mail.example`) {
      const response = await call('POST', '/auth/register', {
        email,
        password: PASSWORD,
        firstName: 'Ada',
        lastName: 'L',
      })
      return SignedIn.parse(response.body)
    },
    as: (customerId, sessionId = 'sess_test') => ({
      [ACTOR_HEADER]: signActor({ kind: 'customer', customerId, sessionId }),
    }),
    asAdmin(userId, permissions, sessionId) {
      const session = sessionId === undefined ? {} : { sessionId }
      return { [ACTOR_HEADER]: signActor({ kind: 'admin', userId, ...session, permissions }) }
    },
    async stop() {
      await identity.stop()
      await suite.stop()
    },
  }
}

/** Connects to the database with the permissions of the service; the caller destroys the connections. */
export function openDatabase(suite: Suite, poolSize = 1): Database {
  return createDatabase<IdentityTables>({
    url: suite.databaseUrl('identity'),
    poolSize,
    name: 'test',
    log: suite.log,
  })
}

/** The parts of an error that a client acts on; fails when the response is not a well-formed error. */
export function errorOf(response: TestResponse): { status: number; code: string } {
  return { status: response.status, code: ErrorBody.parse(response.body).code }
}

export function tokenOf(response: TestResponse): string {
  return z.object({ token: z.string() }).parse(response.body).token
}

/** The claims of a token, without verification. */
export function claimsOf(token: string): Record<string, unknown> {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  return z.record(z.string(), z.unknown()).parse(JSON.parse(payload))
}

export function emailAddress(text: string): EmailAddress {
  const address = readEmailAddress(text)
  if (!address) throw new Error(`${text} is not an email address`)
  return address
}
