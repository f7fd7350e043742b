import { createHmac, randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PublicUrl, SETTINGS } from '@storefront/contracts/settings'
import type { App } from './http-app.ts'

const BROWSER_COOKIE = 'store_browser'
/**
 * Browsers accept a cookie with this prefix only from the shop's own host, over https, and no other host can set it.
 */
const HOST_COOKIE = `__Host-${BROWSER_COOKIE}`
const YEAR_SECONDS = 365 * 24 * 3600
const SECRET = /^[A-Za-z0-9_-]{20,100}$/
const SECRET_BYTES = 20
/** A cookie must stay below 4096 bytes; this many secrets take 1400. */
const MAX_SECRETS = 50

/** 160 random bits that cannot be guessed, for a browser id or an access token. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** Whether a value from outside has the form of such a secret. */
export function isSecret(value: unknown): value is string {
  return typeof value === 'string' && SECRET.test(value)
}

/** The configuration of a service that sets or reads the cookie of browsers. */
export const BrowserCookieConfig = z.object({
  /** Signs the cookie by which a browser is recognized: the same for all services and replicas that set or read it. */
  BROWSER_COOKIE_KEY: z.string().min(16),
  /** Storefront and service on different sites: the browser's cookie then needs SameSite=None and https. */
  COOKIE_CROSS_SITE: SETTINGS.cart.COOKIE_CROSS_SITE,
  PUBLIC_URL: PublicUrl,
})

/** The browsers that call a service, as their signed cookie identifies them. */
export interface Browsers {
  /**
   * A name that stays the same as long as the browser keeps its cookie. It gives no access. Undefined without a valid
   * cookie.
   */
  nameOf(request: FastifyRequest): string | undefined
  /** The secrets of the subjects that this browser may open, the latest first; none without a valid cookie. */
  secretsOf(request: FastifyRequest): string[]
  /** Gives a browser without a valid cookie a new one, and extends a valid one by another year. */
  remember(request: FastifyRequest, reply: FastifyReply): void
  /**
   * The next cookie of this browser: it has another secret in front, and keeps the previous ones.
   * @param subject the record that is opened, an id that cannot be guessed: the same browser gets the same secret for
   * the same subject, so that two requests at once, or a repeated one, end with one secret
   */
  rotate(request: FastifyRequest, subject: string): RotatedBrowser
}

interface RotatedBrowser {
  /** The name that the browser keeps, a new one if it had none. It gives no access. */
  name: string
  /**
   * The secret that opens the subject. A secret that the browser had before may be known to an attacker who planted its
   * cookie.
   */
  secret: string
  /** Sets the new cookie with this reply. */
  send(reply: FastifyReply): void
}

/** `name.secret.secret…`, the latest secret first, followed by a signature when sent as a cookie. */
interface BrowserId {
  name: string
  secrets: string[]
}

const SHAPE = new RegExp(
  `(?:^|;) *(?:__Host-)?${BROWSER_COOKIE}=[\\w-]{27}(?:\\.[\\w-]{27})*\\.[A-Za-z0-9%+/]{43,}(?:;|$)`,
)

/** Whether a Cookie header, as it was sent, holds a cookie in our form. The services check its signature. */
export function namesBrowser(header: string | undefined): boolean {
  return SHAPE.test(header ?? '')
}

/**
 * Lets a service read and set the cookie by which a browser is recognized.
 * @param config.BROWSER_COOKIE_KEY signs the cookie; one with another signature counts as absent
 * @param config.PUBLIC_URL if it is https, every request counts as one over TLS
 */
export async function recognizeBrowsers(
  app: App,
  config: Pick<z.output<typeof BrowserCookieConfig>, 'BROWSER_COOKIE_KEY' | 'COOKIE_CROSS_SITE' | 'PUBLIC_URL'>,
): Promise<Browsers> {
  await app.register(cookie, { secret: config.BROWSER_COOKIE_KEY })
  const isCrossSite = config.COOKIE_CROSS_SITE === 'true'
  const isAlwaysSecure = isCrossSite || config.PUBLIC_URL.startsWith('https:')

  /** The gateway sets the header again on every request. */
  function isSecureFor(request: FastifyRequest): boolean {
    return isAlwaysSecure || request.headers['x-forwarded-proto'] === 'https'
  }

  function read(request: FastifyRequest): BrowserId | undefined {
    const sent = request.cookies[isSecureFor(request) ? HOST_COOKIE : BROWSER_COOKIE]
    const { value } = sent === undefined ? { value: null } : request.unsignCookie(sent)
    if (value === null) return undefined
    const [name, ...secrets] = value.split('.')
    return isSecret(name) ? { name, secrets: secrets.filter(isSecret) } : undefined
  }

  function write(request: FastifyRequest, reply: FastifyReply, { name, secrets }: BrowserId): void {
    const secure = isSecureFor(request)
    void reply.setCookie(secure ? HOST_COOKIE : BROWSER_COOKIE, [name, ...secrets].join('.'), {
      signed: true,
      httpOnly: true,
      path: '/',
      maxAge: YEAR_SECONDS,
      sameSite: isCrossSite ? 'none' : 'lax',
      secure,
    })
  }

  function secretFor(name: string, subject: string): string {
    const digest = createHmac('sha256', config.BROWSER_COOKIE_KEY).update(JSON.stringify(['secret', name, subject]))
    return digest.digest().subarray(0, SECRET_BYTES).toString('base64url')
  }

  const ofRequest = (request: FastifyRequest): BrowserId => read(request) ?? { name: newSecret(), secrets: [] }
  return {
    nameOf: (request) => read(request)?.name,
    secretsOf: (request) => read(request)?.secrets ?? [],
    remember: (request, reply) => write(request, reply, ofRequest(request)),
    rotate(request, subject) {
      const { name, secrets: before } = ofRequest(request)
      const secret = secretFor(name, subject)
      const secrets = [secret, ...before.filter((each) => each !== secret)].slice(0, MAX_SECRETS)
      return { name, secret, send: (reply) => write(request, reply, { name, secrets }) }
    },
  }
}
