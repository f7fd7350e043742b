import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listPath } from './catalog-requests.ts'
import { walkCursors } from './cursor-walks.ts'
import { LEAVES } from './departments.ts'
import { chooseAdjective, chooseColor, chooseLeaf, chooseMaterial } from './generated-catalog.ts'
import { plansIn } from './logged-plans.ts'
import { pick, seeded, type Random } from './random.ts'

/** PostgreSQL then writes the plan of every statement to its log: never to be on while something is measured. */
export const EXPLAIN_SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_parameter_max_length': '200',
}

/** A prepared statement gets its lasting plan with the sixth execution, so the same shape is requested before. */
const WARM_UPS = 8

/** Requests one of each without other load, and returns their plans as markdown. */
export async function explainRequests({ url, dataDir }: { url: string; dataDir: string }): Promise<string> {
  const log = join(dataDir, 'logs', 'postgres.log')
  if (!(await stat(log).catch(() => undefined))) {
    return 'No plans: PostgreSQL keeps no log in the data folder when it runs in Docker.\n'
  }
  const random = seeded('explain')
  const several = (path: (random: Random) => string) => Array.from({ length: WARM_UPS }, () => path(random))
  const requests = [
    { title: 'Filtered list', paths: [...several(filteredPath), filtered('women', 'Navy', 'M')] },
    { title: 'Deep page by cursor', paths: await cursorPaths(url) },
    { title: 'Search', paths: [...several(searchPath), listPath({ q: 'relaxed cotton shi' })] },
    { title: 'Facets', paths: [...several(facetsPath), listPath({ category: 'women', per_page: 1 })] },
  ]
  const sections: string[] = []
  for (const { title, paths } of requests) sections.push(await explain(url, log, title, paths))
  return sections.join('\n')
}

function filteredPath(random: Random): string {
  const { slug, sizes } = chooseLeaf(random)
  return filtered(slug, chooseColor(random).name, pick(random, sizes))
}

function filtered(category: string, colors: string, sizes: string): string {
  return listPath({ category, colors, sizes, sort: 'price-asc' })
}

function searchPath(random: Random): string {
  return listPath({ q: `${chooseAdjective(random)} ${chooseMaterial(random)} shirt`.toLowerCase() })
}

function facetsPath(random: Random): string {
  return listPath({ category: pick(random, LEAVES).slug, per_page: 1 })
}

async function cursorPaths(url: string): Promise<string[]> {
  const paths = await walkCursors(url, 'explain')
  return paths.filter((path) => /per_page=24&/.test(path) && /sort=newest&/.test(path)).slice(0, WARM_UPS + 1)
}

/** The plans behind the last of these paths; the others only warm up. */
async function explain(url: string, log: string, title: string, paths: readonly string[]): Promise<string> {
  const path = paths.at(-1)
  if (path === undefined) return `## ${title}\n\nThe lists carry no \`nextCursor\`.\n`
  for (const warmUp of paths.slice(0, -1)) await read(url, warmUp)
  const { size } = await stat(log)
  const began = performance.now()
  const status = await read(url, path)
  const ms = (performance.now() - began).toFixed(1)
  const plans = plansIn((await readFile(log)).subarray(size).toString('utf8'))
  const blocks = plans.map((plan) => ['```', plan, '```', ''].join('\n'))
  return [`## ${title}`, '', `\`GET ${path}\` responded with ${status} in ${ms} ms.`, '', ...blocks].join('\n')
}

async function read(url: string, path: string): Promise<number> {
  const response = await fetch(`${url}${path}`)
  await response.arrayBuffer()
  return response.status
}
