import { z } from 'zod'
import { DEPARTMENTS } from './departments.ts'
import { chooseColor, chooseLeaf } from './generated-catalog.ts'
import { listPath, SORTS } from './catalog-requests.ts'
import { between, pick, seeded, type Random } from './random.ts'

const Page = z.object({ total: z.int(), nextCursor: z.string().optional() })

const WALKS_OF_SCOPES = 16
const STEPS = 120
const PER_PAGE = 48
/** The same place in a list is requested with pages of several sizes, so that more requests differ. */
const PAGE_SIZES = [12, 24, 48]

/** Paths of pages somewhere deep in long lists, by cursor; none while the lists carry no `nextCursor`. */
export async function walkCursors(url: string, seed: string): Promise<string[]> {
  const random = seeded(seed)
  const lists = [
    ...SORTS.map((sort) => ({ sort })),
    ...Array.from({ length: WALKS_OF_SCOPES }, () => ({ ...scope(random), sort: pick(random, SORTS) })),
  ].map((list) => ({ list, depth: 0.1 + 0.6 * random() }))
  const walks = await Promise.all(lists.map(({ list, depth }) => walk(url, list, depth)))
  return shuffled(walks.flat(), random)
}

function scope(random: Random): Record<string, string> {
  const kind = random()
  if (kind < 0.4) return { category: pick(random, DEPARTMENTS).slug }
  if (kind < 0.8) return { category: chooseLeaf(random).slug }
  return { colors: chooseColor(random).name }
}

/** Enters the list at a part of its length by page number, and continues from there by cursor. */
async function walk(url: string, list: Record<string, string>, depth: number): Promise<string[]> {
  const { total } = await readPage(url, listPath({ ...list, per_page: 1 }))
  const entry = Math.max(1, Math.floor((total / PER_PAGE) * depth))
  let { nextCursor } = await readPage(url, listPath({ ...list, per_page: PER_PAGE, page: entry }))
  const paths: string[] = []
  for (let step = 0; step < STEPS && nextCursor !== undefined; step++) {
    const cursor: string = nextCursor
    paths.push(...PAGE_SIZES.map((perPage) => listPath({ ...list, per_page: perPage, cursor })))
    nextCursor = (await readPage(url, listPath({ ...list, per_page: PER_PAGE, cursor }))).nextCursor
  }
  return paths
}

async function readPage(url: string, path: string): Promise<z.output<typeof Page>> {
  const response = await fetch(`${url}${path}`)
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`)
  return Page.parse(await response.json())
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: between(random, 0, 1_000_000_000) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
