import { copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { checkOutVersion } from '@storefront/tools/other-version'
import { describeMachine } from './machine.ts'
import { describeSpeeds, measurePairs, openComparedShop } from './paired-rounds.ts'
import { SCENARIOS } from './scenarios.ts'
import { markdownTable } from './table.ts'

const PROGRAM = 'bench/src/compared-shop.ts'
const here = resolve(import.meta.dirname, '../..')

/**
 * Measures another version of the shop and this one alternately, each with the load of this version. Both run all the
 * time, and the one that is not measured is quiet.
 */
export async function benchAgainst(
  ref: string,
  options: { seconds: number; rounds: number; only: string },
): Promise<void> {
  const chosen = SCENARIOS.filter(({ name }) => name.includes(options.only))
  if (chosen.length === 0) throw new Error(`no scenario is called "${options.only}"`)
  console.error(`Checking out ${ref} and installing its packages.`)
  const other = await checkOutVersion(ref)
  try {
    await copyFile(join(here, PROGRAM), join(other.folder, PROGRAM))
    const rows: string[][] = []
    const speeds: number[] = []
    for (const edgeCache of [true, false]) {
      const scenarios = chosen.filter((scenario) => scenario.edgeCache === edgeCache)
      if (scenarios.length === 0) continue
      console.error(`Starting both shops ${edgeCache ? 'with' : 'without'} the edge cache.`)
      const shops = await openBoth(other.folder, edgeCache)
      try {
        for (const scenario of scenarios) rows.push(...(await measurePairs(scenario, shops, options, speeds)))
      } finally {
        await Promise.all([shops.before.close(), shops.after.close()])
      }
    }
    console.log(describeMachine())
    console.log(`Before is ${other.name}. ${describeSpeeds(speeds)}\n`)
    console.log(markdownTable(['scenario', 'quantity', 'before', 'after', 'after / before'], rows))
  } finally {
    await other.remove()
  }
}

async function openBoth(folder: string, edgeCache: boolean) {
  const variables = { COMPARED_EDGE_CACHE: edgeCache ? 'on' : 'off' }
  const before = await openComparedShop(folder, PROGRAM, variables)
  try {
    return { before, after: await openComparedShop(here, PROGRAM, variables) }
  } catch (error) {
    await before.close()
    throw error
  }
}
