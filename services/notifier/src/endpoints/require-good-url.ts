import { isIP } from 'node:net'
import { isPrivateAddress, type ResolveName } from '@storefront/http'
import { unfitUrl } from '../errors.ts'

/** A name that takes longer to resolve is accepted: every connection checks it again. */
const RESOLVE_MS = 3000

/**
 * Rejects a URL that webhooks must not be sent to. This gives the merchant an immediate error: what protects the shop
 * is the same check at every connection, because a name may resolve to another address by then.
 * @throws HttpError `validation_failed`
 */
export async function requireGoodUrl(
  text: string,
  { allowPrivate, resolve }: { allowPrivate: boolean; resolve: ResolveName },
): Promise<void> {
  const fault = faultOfUrl(text)
  if (fault !== undefined) throw unfitUrl(fault)
  if (allowPrivate) return
  const host = new URL(text).hostname.replace(/^\[|\]$/g, '')
  const isPrivate = isIP(host) === 0 ? await resolvesToPrivate(host, resolve) : isPrivateAddress(host)
  if (isPrivate) throw unfitUrl('must not lead to a private address')
}

function faultOfUrl(text: string): string | undefined {
  if (text.length > 2000) return 'must have at most 2,000 characters'
  // A URL parser ignores these, and would use another URL than the one that is shown.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text)) return 'must not contain spaces, backslashes, control or invisible characters'
  const url = URL.parse(text)
  if (!url || !/^https?:\/\//i.test(text)) return 'must be an http or https URL'
  if (url.hostname.replace(/\.$/, '').split('.').includes('')) return 'must have a host'
  if (url.port === '0') return 'must have a valid port'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (text.includes('#')) return 'must not have a fragment'
  return undefined
}

function resolvesToPrivate(hostname: string, resolve: ResolveName): Promise<boolean> {
  return new Promise((settle) => {
    const deadline = setTimeout(() => settle(false), RESOLVE_MS)
    resolve(hostname, { all: true }, (error, addresses) => {
      clearTimeout(deadline)
      settle(!error && addresses.some(({ address }) => isPrivateAddress(address)))
    })
  })
}
