import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './http-app.ts'

const BROWSER_COOKIE = 'store_browser'
const YEAR_SECONDS = 365 * 24 * 3600
const SECRET = /^[A-Za-z0-9_-]{20,100}$/

/** 160 random bits that nobody can guess, for a browser id or an access token. */
export function newSecret(): string {
  return randomBytes(20).toString('base64url')
}

/** Whether a value from outside can be such a secret at all. */
export function isSecret(value: unknown): value is string {
  return typeof value === 'string' && SECRET.test(value)
}

/** Lets a service read and set the cookie by which a browser is recognised. */
export async function recogniseBrowsers(app: App): Promise<void> {
  await app.register(cookie)
}

const NAMED_BROWSER = new RegExp(`(?:^|;) *${BROWSER_COOKIE}=([^;]*)`)

/** Whether a Cookie header, as it was sent, names a browser that can be known again. */
export function namesBrowser(header: string | undefined): boolean {
  return isSecret(NAMED_BROWSER.exec(header ?? '')?.[1])
}

/** The id that this browser brought, if it has one. */
export function browserOf(request: FastifyRequest): string | undefined {
  const known = request.cookies[BROWSER_COOKIE]
  return isSecret(known) ? known : undefined
}

/**
 * The browser's id: the one it has, or a new one that it gets with the answer (decisions, section 6).
 * @param crossSite the storefront is on another site, so the cookie must say SameSite=None and travel by https alone
 */
export function rememberBrowser(request: FastifyRequest, reply: FastifyReply, crossSite: boolean): string {
  const id = browserOf(request) ?? newSecret()
  void reply.setCookie(BROWSER_COOKIE, id, {
    httpOnly: true,
    path: '/',
    maxAge: YEAR_SECONDS,
    sameSite: crossSite ? 'none' : 'lax',
    secure: crossSite,
  })
  return id
}
