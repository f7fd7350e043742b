const VOID_TAGS = new Set(['br', 'hr'])
const PAIRED_TAGS = new Set(['p', 'strong', 'b', 'em', 'i', 'u', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote'])
const TAG = /^<(\/?)([a-z][a-z0-9]*)\s*(\/?)>/i

/**
 * Whether HTML holds nothing but text: tags without attributes, each of them closed. A merchant's text is next to a
 * link that gives access to an account: an unclosed attribute with a picture's address would send the link along, a
 * style or an element around it would hide it.
 */
export function isPlainMarkup(html: string): boolean {
  const open: string[] = []
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) {
    const [, closing, written = '', closed] = TAG.exec(html.slice(at, at + 40)) ?? []
    const name = written.toLowerCase()
    if (VOID_TAGS.has(name) && closing === '') continue
    if (!PAIRED_TAGS.has(name) || closed === '/') return false
    if (closing === '') open.push(name)
    else if (open.pop() !== name) return false
  }
  return open.length === 0
}

export const PLAIN_MARKUP_MESSAGE = `may contain only the tags ${[...PAIRED_TAGS, ...VOID_TAGS].join(', ')}, each closed and without attributes`
