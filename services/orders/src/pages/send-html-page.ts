import type { FastifyReply } from 'fastify'
import { PRIVATE_CACHE_CONTROL, type PageStyle } from '@storefront/http'

/**
 * Sends a page whose address grants access to what it shows.
 * @param formTargets sources to which its forms lead: browsers apply the policy of the page with the form to the
 * redirect that follows its submission
 */
export function sendHtmlPage(
  reply: FastifyReply,
  html: string,
  { style, formTargets }: { style: PageStyle; formTargets: readonly string[] },
): FastifyReply {
  const policy = [
    "default-src 'none'",
    `style-src ${style.source}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return reply
    .headers({
      'cache-control': PRIVATE_CACHE_CONTROL,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // The address is a secret of the buyer: the next site must not receive it.
      'referrer-policy': 'no-referrer',
    })
    .send(html)
}
