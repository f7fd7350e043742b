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

/** @returns undefined when nothing responds in time, or not in JSON */
export async function readUrl(url: string): Promise<UrlContent | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) })
    const sentAtMs = Date.parse(response.headers.get('date') ?? '')
    return { body: await response.json(), sentAtMs }
  } catch {
    return undefined
  }
}
