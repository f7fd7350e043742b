import { z } from 'zod'

const Reply = z.object({ data: z.unknown(), errors: z.array(z.object({ message: z.string() })).optional() })

/** One session of Vendure's admin or shop API. */
export class GraphqlClient {
  readonly #url: string
  #token: string | undefined

  constructor(url: string) {
    this.#url = url
  }

  async send<Data>(schema: z.ZodType<Data>, query: string, variables: Record<string, unknown> = {}): Promise<Data> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(20_000),
    })
    this.#token = response.headers.get('vendure-auth-token') ?? this.#token
    const { data, errors } = Reply.parse(await response.json())
    if (errors) throw new Error(`Vendure: ${errors.map(({ message }) => message).join(', ')}`)
    return schema.parse(data)
  }
}
