/** Elements whose content is nothing to read. */
const UNREAD = ['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'head']
const BLOCK = /^<\/?(?:p|div|br|h[1-6]|ul|ol|li|table|tr|section|article|blockquote|hr|dl|dt|dd)\b/i
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  deg: '°',
  times: '×',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  uuml: 'ü',
  ouml: 'ö',
  auml: 'ä',
  szlig: 'ß',
  reg: '®',
  trade: '™',
  copy: '©',
  euro: '€',
  pound: '£',
}
/** What was written twice over is unwrapped, what is wrapped deeper than anybody writes is emptied of its brackets. */
const MAX_ROUNDS = 5

/** The words of a piece of HTML: lines for its blocks, and nothing that a browser could take for markup. */
export function plainText(html: string): string {
  let text = html
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = decoded(withoutTags(withoutUnread(text)))
    if (next === text) break
    text = next
    if (!/<[a-z/!?]/i.test(text)) break
  }
  return text
    .replaceAll(/<+/g, (run, at: number, all: string) => (/[a-z/!?]/i.test(all.charAt(at + run.length)) ? '' : run))
    .replaceAll(/[ \t\r\f\v\u00a0]+/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function withoutUnread(html: string): string {
  let text = cut(html, '<!--', '-->')
  for (const name of UNREAD) text = cut(text, `<${name}`, `</${name}>`)
  return text
}

/** Cuts what stands between two marks; without a second one, everything after the first. */
function cut(text: string, open: string, close: string): string {
  const lower = text.toLowerCase()
  // A few letters change their length in lower case, and then no place is where it was.
  if (lower.length !== text.length || !lower.includes(open)) return text
  const kept: string[] = []
  let from = 0
  for (let at = lower.indexOf(open); at !== -1; at = lower.indexOf(open, from)) {
    kept.push(text.slice(from, at))
    const end = lower.indexOf(close, at + open.length)
    if (end === -1) return kept.join('')
    from = end + close.length
  }
  return kept.join('') + text.slice(from)
}

/** A bracket that another one follows before it is closed is no tag: so each letter is looked at once. */
function withoutTags(html: string): string {
  return html.replaceAll(/<[a-z/!?][^<>]*>/gi, (tag) => (BLOCK.test(tag) ? '\n' : ''))
}

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (all, decimal, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name] ?? ENTITIES[name.toLowerCase()] ?? all
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    const isText = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isText ? String.fromCodePoint(code) : ' '
  })
}
