import { stringifySetCookie } from 'cookie'
import type { IncomingHttpHeaders } from 'node:http'
import { MINUTE_MS } from '@storefront/service'
import { CONSOLE_COOKIE, newId, Timestamp, type Permission } from '@storefront/contracts'
import { z } from 'zod'
import { AdminUser } from '../admins/admin.ts'
import type { IdentityContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { sessionEnd } from '../sessions/session.ts'
import { insertSession } from '../sessions/sessions.queries.ts'

/** A console that sends no request for this long is signed out. It renews its cookie while a person uses it. */
export const CONSOLE_IDLE_MS = 30 * MINUTE_MS

export const ConsoleSession = z
  .object({
    user: AdminUser.describe('The signed-in user.'),
    idleUntil: Timestamp.describe('When the cookie expires, unless it is renewed: 30 minutes from now at most.'),
    expiresAt: Timestamp.describe('When the session ends in any case, 12 hours after the sign-in.'),
  })
  .meta({ id: 'ConsoleSession' })

/** A token for the cookie, and its end. */
interface ConsoleToken {
  token: string
  idleUntil: Date
  expiresAt: Date
}

interface ConsoleUser {
  userId: string
  permissions: readonly Permission[]
}

/** Opens a session whose token works in the cookie of the console only. */
export async function openConsoleSession(
  tx: Tx,
  context: Pick<IdentityContext, 'tokens'>,
  user: ConsoleUser,
  now: Date,
): Promise<ConsoleToken> {
  const sessionId = newId('session')
  const owner = { kind: 'admin', adminUserId: user.userId, permissions: user.permissions } as const
  const expiresAt = sessionEnd(owner, now)
  await insertSession(tx, { id: sessionId, owner, createdAt: now, expiresAt })
  return issueConsoleToken(tx, context, { ...user, sessionId, expiresAt }, now)
}

/** Signs a token that ends when the console is idle, or with the session. */
export async function issueConsoleToken(
  tx: Tx,
  { tokens }: Pick<IdentityContext, 'tokens'>,
  { sessionId, userId, permissions, expiresAt }: ConsoleUser & { sessionId: string; expiresAt: Date },
  now: Date,
): Promise<ConsoleToken> {
  const idleUntil = new Date(Math.min(now.getTime() + CONSOLE_IDLE_MS, expiresAt.getTime()))
  const token = await tokens.issue(tx, {
    sessionId,
    owner: { kind: 'admin', adminUserId: userId, permissions },
    audience: 'console',
    issuedAt: now,
    expiresAt: idleUntil,
  })
  return { token, idleUntil, expiresAt }
}

/**
 * Sets the cookie, which scripts cannot read and other sites cannot make a browser send.
 * @param publicUrl of the shop: the cookie belongs to the paths of its admin API
 * @param given undefined deletes the cookie
 */
export function setConsoleCookie(
  request: { headers: IncomingHttpHeaders },
  reply: { header: (name: string, value: string) => unknown },
  publicUrl: string,
  given: { token: string; maxAgeMs: number } | undefined,
): void {
  const secure = publicUrl.startsWith('https:') || request.headers['x-forwarded-proto'] === 'https'
  const path = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/admin`
  const cookie = stringifySetCookie({
    name: secure ? CONSOLE_COOKIE.https : CONSOLE_COOKIE.http,
    value: given?.token ?? '',
    httpOnly: true,
    sameSite: 'strict',
    secure,
    path,
    maxAge: Math.floor((given?.maxAgeMs ?? 0) / 1000),
  })
  void reply.header('set-cookie', cookie)
}
