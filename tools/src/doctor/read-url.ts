const DEADLINE_MS = 5000

interface UrlContent {
  /** The parsed JSON, whatever the status is. */
  body: unknown
  /** By the clock of the other machine; NaN when the response has no date. */
  sentAtMs: number
}

/** The addresses that a variable names, with commas between them. */
export function urlsIn(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((url) => url.trim().replace(/\/+$/, ''))
    .filter((url) => url !== '')
}

/** Without the user, password, path and query of an address, which may be secret. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that cannot be read'
}

/**
 * @param address may contain a user and password, which are sent as a header
 * @returns undefined when nothing responds in time, or not in JSON
 */
export async function readUrl(address: string): Promise<UrlContent | undefined> {
  try {
    const url = new URL(address)
    const { username, password } = url
    const headers = new Headers()
    if (username !== '' || password !== '') {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
      headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
    }
    // fetch rejects an address that contains them.
    url.username = ''
    url.password = ''
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) })
    const sentAtMs = Date.parse(response.headers.get('date') ?? '')
    return { body: await response.json(), sentAtMs }
  } catch {
    return undefined
  }
}
