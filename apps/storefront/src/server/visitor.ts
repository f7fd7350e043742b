import type { Reply, Request } from './storefront.ts'

/**
 * What identifies a shopper. A script keeps both in the storage of the browser and sends them as headers. Without
 * scripts they are cookies, which are set only when a shopper uses the bag or signs in. A script that has none of its
 * own takes those of the cookies.
 */
export interface Visitor {
  bagId: string | undefined
  /** Of a customer's session. */
  token: string | undefined
  /** Whether a script sent the request, which puts the response in its place on the page. */
  hasScript: boolean
  /** The payment at a provider from which this shopper is to come back. */
  payment: Payment | undefined
  /** The names of the cookies that were sent. */
  cookieNames: ReadonlySet<string>
}

/** A checkout at a payment provider, and what opens it. */
export interface Payment {
  id: string
  token: string
}

const BAG_HEADER = 'x-bag-id'
/** The number of pieces, for the badge in the header of the page. */
const BAG_COUNT_HEADER = 'x-bag-count'
/** What was typed into the checkout is deleted in this tab. */
export const FORGETS_DRAFT_HEADER = 'x-forgets-draft'
const SESSION_HEADER = 'x-session'

const BAG_COOKIE = 'bag'
const SESSION_COOKIE = 'session'
/** Its value names a payment: a provider returns the shopper without headers. */
const PAYMENT_COOKIE = 'payment'
const DAY_S = 24 * 3600
const THIRTY_DAYS_S = 30 * 24 * 3600
/** Ids and tokens of the shop: anything else is not sent on. */
const ID = /^[\w-]{1,200}$/
const TOKEN = /^[\w.~+/=-]{1,4000}$/

export function readVisitor(request: Request): Visitor {
  const hasScript = request.headers['hx-request'] === 'true'
  const cookies = readCookies(request.headers.cookie)
  const { [BAG_HEADER]: bag, authorization } = request.headers
  const bearer = authorization?.replace(/^Bearer /i, '')
  return {
    // The cookies were set on a page whose scripts did not load, and hold the goods of this shopper.
    bagId: valid(ID, (hasScript ? bag : undefined) ?? cookies.get(BAG_COOKIE)),
    token: valid(TOKEN, (hasScript ? bearer : undefined) ?? cookies.get(SESSION_COOKIE)),
    hasScript,
    payment: paymentOf(cookies.get(PAYMENT_COOKIE)),
    cookieNames: new Set(cookies.keys()),
  }
}

function paymentOf(cookie: string | undefined): Payment | undefined {
  const [id, token] = cookie?.split('.') ?? []
  if (id === undefined || token === undefined) return undefined
  return ID.test(id) && ID.test(token) ? { id, token } : undefined
}

/** @returns the text if it may be the id of a bag */
export function bagIdOf(text: string | null): string | undefined {
  return text !== null && ID.test(text) ? text : undefined
}

/** Has the browser keep a payment for the page of its order. @param payment `undefined` deletes it */
export function keepPayment(reply: Reply, payment: Payment | undefined, isSecure: boolean): void {
  const value = payment ? `${payment.id}.${payment.token}` : ''
  setCookie(reply, { cookie: PAYMENT_COOKIE, value, age: payment ? DAY_S : 0, isSecure })
}

/** Has the browser keep the id of its bag. @param bagId `undefined` deletes it */
export function keepBag(visitor: Visitor, reply: Reply, bagId: string | undefined, isSecure: boolean): void {
  keep(reply, { visitor, header: BAG_HEADER, cookie: BAG_COOKIE, value: bagId, isSecure })
  if (bagId === undefined) showCount(reply, [])
}

/** Shows in the header of the page how many pieces the bag has. */
export function showCount(reply: Reply, lines: readonly { quantity: number }[]): void {
  void reply.header(BAG_COUNT_HEADER, String(lines.reduce((sum, { quantity }) => sum + quantity, 0)))
}

/** Has the browser keep the session of a customer. @param token `undefined` signs out */
export function keepSession(visitor: Visitor, reply: Reply, token: string | undefined, isSecure: boolean): void {
  keep(reply, { visitor, header: SESSION_HEADER, cookie: SESSION_COOKIE, value: token, isSecure })
}

interface Kept {
  visitor: Visitor
  header: string
  cookie: string
  value: string | undefined
  isSecure: boolean
}

function keep(reply: Reply, { visitor, header, cookie, value, isSecure }: Kept): void {
  if (visitor.hasScript) {
    void reply.header(header, value ?? '')
    // Otherwise the cookie would bring back a bag or a session that has ended here.
    if (visitor.cookieNames.has(cookie)) setCookie(reply, { cookie, value: '', age: 0, isSecure })
    return
  }
  setCookie(reply, { cookie, value: value ?? '', age: value === undefined ? 0 : THIRTY_DAYS_S, isSecure })
}

function setCookie(
  reply: Reply,
  { cookie, value, age, isSecure }: { cookie: string; value: string; age: number; isSecure: boolean },
): void {
  const secure = isSecure ? '; Secure' : ''
  void reply.header('set-cookie', `${cookie}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`)
}

function readCookies(header: string | undefined): Map<string, string> {
  const pairs = (header ?? '').split(';').filter((pair) => pair.includes('='))
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}

function valid(pattern: RegExp, value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}
