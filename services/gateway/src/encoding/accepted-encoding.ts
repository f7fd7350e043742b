export type Encoding = 'br' | 'gzip' | 'identity'

const MAX_REMEMBERED = 500
/** Browsers send shorter ones; longer ones are parsed each time. */
const MAX_REMEMBERED_LENGTH = 100
const remembered = new Map<string, Encoding>()

/** The best encoding that a client accepts. The few headers that browsers send are parsed once each. */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity'
  if (header.length > MAX_REMEMBERED_LENGTH) return choose(header)
  let encoding = remembered.get(header)
  if (encoding === undefined) {
    encoding = choose(header)
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(header, encoding)
  }
  return encoding
}

function choose(header: string): Encoding {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const br = weightOf('br')
  const gzip = weightOf('gzip')
  if (br === 0 && gzip === 0) return 'identity'
  return br >= gzip ? 'br' : 'gzip'
}
