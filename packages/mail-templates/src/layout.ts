import escapeHtml from 'escape-html'
import { directionOf, isEnglish } from './locale.ts'
import type { Letterhead } from './mail-shop.ts'

const STYLE = `
body{margin:0;padding:24px 16px;background:#ffffff;color:#1a1a1a;font:16px/1.5 Arial,Helvetica,sans-serif}
.page{max-width:600px;margin:0 auto;overflow-wrap:anywhere}
img{max-width:100%;height:auto}
@media (max-width:400px){table{font-size:15px}}
@media (prefers-color-scheme:dark){
body{background:#121212!important;color:#f2f2f2!important}
a{color:#f2f2f2!important}
.quiet{color:#b8b8b8!important}
.rule{border-color:#484848!important}
a.button{background:#f2f2f2!important;color:#121212!important}
}`
const BODY = 'margin:0;padding:24px 16px;background:#ffffff;color:#1a1a1a;font:16px/1.5 Arial,Helvetica,sans-serif;'
const PAGE = 'max-width:600px;margin:0 auto;'
const HEAD =
  'margin:0 0 24px;padding:0 0 16px;border-bottom:1px solid #dddddd;font-size:18px;line-height:1.25;font-weight:bold;'
const FOOT =
  'margin:32px 0 0;padding:16px 0 0;border-top:1px solid #dddddd;font-size:14px;line-height:1.5;color:#595959;'

/**
 * The page of every mail: readable in any width, without images and without its styles, with one heading. Content that
 * is a complete page is used unchanged.
 * @param page.isDefault whether the content is our text, which is English whatever the language of the shop
 * @param shop its name is above the content, and its address below it
 */
export function pageOf(
  page: { title: string; content: string; locale: string; isDefault: boolean },
  shop: Letterhead,
): string {
  if (/<html[\s>]/i.test(page.content)) return page.content
  const { title, content, locale } = page
  const heading = /<h1[\s>]/i.test(content)
    ? ''
    : `<h1 style="font-size:24px;line-height:1.25;margin:0 0 16px;">${escapeHtml(title)}</h1>\n`
  const language = page.isDefault && !isEnglish(locale) ? ' lang="en" dir="ltr"' : ''
  return `<!doctype html>
<html lang="${escapeHtml(locale)}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body style="${BODY}">
<div class="page" style="${PAGE}">
<header><p class="rule" style="${HEAD}">${escapeHtml(shop.name)}</p></header>
<main${language}>
${heading}${content.trim()}
</main>
${footOf(shop)}</div>
</body>
</html>
`
}

function footOf({ name, address }: Letterhead): string {
  if (address.length === 0) return ''
  // Each line has its own text direction: in a page from right to left a house number would change sides.
  const lines = [`<strong>${escapeHtml(name)}</strong>`, ...address.map((line) => `<bdi>${escapeHtml(line)}</bdi>`)]
  return `<footer><p class="rule quiet" style="${FOOT}">${lines.join('<br />\n')}</p></footer>\n`
}
