import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import type { TestClient } from '../support/test-client.ts'

/** A signed-in admin. */
export type Admin = Pick<TestClient, 'get'>

/** For how long a read is repeated: a part of the shop may still recover from a fault. */
const TIMEOUT_MS = 60_000
const PER_PAGE = 100

const Page = z.looseObject({ items: z.array(z.unknown()), total: z.int(), nextCursor: z.string().optional() })
type Page = z.output<typeof Page>

/** Reads one page of a list. @throws Error when the shop does not return it within a minute */
export async function readPage(admin: Admin, path: string, query: Record<string, string>): Promise<Page> {
  return waitFor(
    `GET ${path}`,
    async () => {
      const { status, body } = await admin.get(`${path}?${new URLSearchParams(query).toString()}`)
      if (status !== 200) throw new Error(`GET ${path} returned ${status} ${JSON.stringify(body)}`)
      return Page.parse(body)
    },
    TIMEOUT_MS,
  )
}

/** Reads all pages of a list, by cursor where it has cursors. */
export async function readAll(admin: Admin, path: string, query: Record<string, string> = {}): Promise<unknown[]> {
  const items: unknown[] = []
  let place: Record<string, string> = {}
  for (let number = 1; ; number++) {
    const page = await readPage(admin, path, { ...query, ...place, per_page: String(PER_PAGE) })
    items.push(...page.items)
    if (page.nextCursor !== undefined) place = { cursor: page.nextCursor }
    // Long lists are counted up to a limit, so the total does not say where they end.
    else if ('cursor' in place || page.items.length < PER_PAGE) return items
    else place = { page: String(number + 1) }
  }
}
