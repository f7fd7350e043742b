/** A browser with its cookies, with or without a token. */
export class Caller {
  readonly kind: 'anonymous' | 'customer' | 'admin'
  token: string | undefined
  readonly #cookies = new Map<string, string>()

  constructor(kind: Caller['kind'], token?: string) {
    this.kind = kind
    this.token = token
  }

  async fetch(url: string, request: { method: string; headers: Record<string, string>; body?: string | FormData }) {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      ...request,
      headers: {
        ...request.headers,
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(cookies === '' ? {} : { cookie: cookies }),
      },
      signal: AbortSignal.timeout(60_000),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', ...value] = pair.split('=')
      this.#cookies.set(name, value.join('='))
    }
    return response
  }
}
