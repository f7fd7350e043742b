import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { PRIVATE_CACHE_CONTROL } from '@storefront/http'

const STYLE = `:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.5}
body{margin:0}
main{box-sizing:border-box;max-width:36rem;margin:0 auto;padding:6vh 1.25rem 3rem}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}
h2{margin:1.5rem 0 .5rem;font-size:1.125rem}
.shop{margin:0 0 .5rem;font-weight:600;overflow-wrap:anywhere}
.notice{margin:0 0 1.5rem;padding:.75rem 1rem;border:2px solid CanvasText;border-radius:.375rem;font-weight:600}
table{width:100%;border-collapse:collapse}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:.5rem 0;text-align:start;vertical-align:top;font-weight:normal;overflow-wrap:anywhere}
td{padding-inline-start:1rem;text-align:end;white-space:nowrap}
tbody tr{border-bottom:1px solid GrayText}
tfoot th,tfoot td{padding:.25rem 0}
tfoot tr:first-child>*{padding-top:.75rem}
tfoot tr.total>*{padding-top:.5rem;font-size:1.25rem;font-weight:600}
small{display:block;font-size:.875rem}
form{margin:1.5rem 0 0}
button{box-sizing:border-box;display:block;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid
CanvasText;border-radius:.375rem;background:CanvasText;color:Canvas;font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPED[character] ?? '')
}

/** A page without script, for the buyer who has a payment link. */
export function page({ title, content }: { title: string; content: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`
}

/** Browsers apply the policy of the page with the form to the redirect that follows: to any payment provider. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self' https:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({
      'cache-control': PRIVATE_CACHE_CONTROL,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // The address of this page is the right to see and pay the order: the next site must not receive it.
      'referrer-policy': 'no-referrer',
    })
    .send(html)
}
