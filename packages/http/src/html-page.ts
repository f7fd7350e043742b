import { createHash } from 'node:crypto'
import escapeHtml from 'escape-html'

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
  /** The address of its script, if it has one. */
  script?: string
  /** HTML. */
  content: string
}

/** A page for a person, which search engines do not list. */
export function htmlPage({ title, style, script, content }: HtmlPage): string {
  const styling =
    typeof style === 'string' ? `<link rel="stylesheet" href="${escapeHtml(style)}">` : `<style>${style.rules}</style>`
  const scripting = script === undefined ? '' : `\n<script src="${escapeHtml(script)}" defer></script>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
${styling}${scripting}
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`
}
