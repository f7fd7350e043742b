import { createHash } from 'node:crypto'
import escapeHtml from 'escape-html'
import type { FastifyReply } from 'fastify'
import { PRIVATE_CACHE_CONTROL } from '@storefront/http'

const BASE_RULES = `:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.5}
body{margin:0}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}`

/** The rules of a page, and the source with which its Content-Security-Policy allows them. */
export interface PageStyle {
  rules: string
  source: string
}

/** @param rules of the page, after those of all pages */
export function pageStyle(rules: string): PageStyle {
  const all = `${BASE_RULES}\n${rules}`
  return { rules: all, source: `'sha256-${createHash('sha256').update(all).digest('base64')}'` }
}

interface HtmlPage {
  title: string
  /** Its own rules, or the address of a style sheet. */
  style: PageStyle | string
  /** HTML. */
  content: string
}

/** A page without script. */
export function htmlPage({ title, style, content }: HtmlPage): string {
  const styling =
    typeof style === 'string' ? `<link rel="stylesheet" href="${escapeHtml(style)}">` : `<style>${style.rules}</style>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
${styling}
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`
}

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
