import { z } from 'zod'

/**
 * Fields that identify the subject of an event without personal data. Without cart ids, because the id of a guest's
 * cart grants access to it.
 */
const HARMLESS = new Set(
  `productId variantId slug version inventory available entryId quantity orderId number id status amount currency kind locale
   placedAt attention restocked importId mode part parts customerId`.split(/\s+/),
)
/** Objects of which the harmless fields are shown. */
const OPENED = new Set(['order', 'refund', 'total', 'amount'])
/** Secrets that grant access are never shown. */
const SECRET = new Set(['accessToken', 'token', 'password', 'secret'])

const Fields = z.record(z.string(), z.unknown())

/** Removes personal data, unless `full` is set, and secrets from the data of an event. */
export function withoutSecrets(data: unknown, options: { full: boolean }): unknown {
  if (Array.isArray(data)) return data.map((one: unknown) => withoutSecrets(one, options))
  const fields = Fields.safeParse(data)
  if (!fields.success) return data
  const shown = Object.entries(fields.data).filter(([name, value]) => {
    if (SECRET.has(name)) return false
    if (options.full || OPENED.has(name)) return true
    return HARMLESS.has(name) && (typeof value !== 'object' || value === null)
  })
  return Object.fromEntries(shown.map(([name, value]) => [name, withoutSecrets(value, options)]))
}

/** Formats data on one line: `order.number=S-1001 order.total.amount=4200`. */
export function inOneLine(data: unknown, path = ''): string {
  if (Array.isArray(data)) return data.map((one, index) => inOneLine(one, `${path}.${index}`)).join(' ')
  const fields = Fields.safeParse(data)
  if (!fields.success) return `${path}=${typeof data === 'string' ? oneWord(data) : JSON.stringify(data)}`
  return Object.entries(fields.data)
    .map(([name, value]) => inOneLine(value, path === '' ? name : `${path}.${name}`))
    .filter((part) => part !== '')
    .join(' ')
}

/** Control characters from outside must not reach a terminal. */
function oneWord(text: string): string {
  return /^[\w.:@/*+-]+$/.test(text) ? text : JSON.stringify(text)
}
