import { isIP } from 'node:net'
import type { SmtpSettings } from '@storefront/contracts'

export interface MailServer {
  host: string
  port: number
  /** TLS from the first byte. */
  secure: boolean
  auth?: { user: string; pass: string }
  /** Configured by the operator, who may have it in the network of the shop; a merchant's must be public. */
  isOperators: boolean
}

/**
 * The mail server for the next mail: the merchant's once it has a host, or else the operator's. The password in it is
 * the operator's own, which never goes to a host that a merchant configured.
 * @returns undefined when none is configured
 */
export function mailServerFor(smtp: SmtpSettings | undefined, smtpUrl: string | undefined): MailServer | undefined {
  const host = smtp && hostOf(smtp.host)
  if (smtp && host) {
    const secure = smtp.secure === true
    return {
      host,
      port: smtp.port ?? defaultPort(secure),
      secure,
      ...(smtp.user ? { auth: { user: smtp.user, pass: '' } } : {}),
      isOperators: false,
    }
  }
  return smtpUrl === undefined ? undefined : serverOfUrl(smtpUrl)
}

/** In canonical form: some systems accept `2130706433` and `0x7f.1` for addresses as well. */
function hostOf(text: string): string {
  const host = text.trim()
  const written = isIP(host) === 6 ? `[${host}]` : host
  return URL.canParse(`http://${written}`) ? new URL(`http://${written}`).hostname.replace(/^\[|\]$/g, '') : host
}

function serverOfUrl(smtpUrl: string): MailServer {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? defaultPort(secure) : Number(url.port),
    secure,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    isOperators: true,
  }
}

const defaultPort = (secure: boolean) => (secure ? 465 : 587)
