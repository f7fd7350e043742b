import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { startBrowser } from '../support/browser.ts'
import { Hand, type Effort } from './hand.ts'
import { openOurs } from './ours.ts'
import { effortTable } from './effort-table.ts'
import { TASKS, type Dashboard, type ReadyTask } from './task.ts'
import { openVendure } from './vendure.ts'

const SIZE = { width: 1440, height: 900 }
const STEP_MS = 30_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
})

/** `npm run merchant-tasks`: does whole tasks of merchants in a browser, and counts what they take. */
const ours = await openOurs(print)
const browser = await startBrowser()
try {
  const vendure = await openVendure(process.env)
  const dashboards = [ours.dashboard, ...(vendure ? [vendure] : [])]
  const efforts = new Map<string, Effort[]>()
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const task of TASKS.filter((name) => name.toLowerCase().includes(values.only.toLowerCase()))) {
      for (const dashboard of dashboards) {
        const ready = await dashboard.tasks[task]?.(round)
        if (!ready) continue
        const effort = await doTask(browser, dashboard, ready)
        const key = `${dashboard.name}: ${task}`
        efforts.set(key, [...(efforts.get(key) ?? []), effort])
        print(`round ${round}, ${key}: ${JSON.stringify(effort)}`)
      }
    }
  }
  print(`\n${effortTable(dashboards, efforts)}`)
} finally {
  await browser.close()
  await ours.close()
}

async function doTask(browser: Browser, { url, name }: Dashboard, task: ReadyTask): Promise<Effort> {
  const context = await browser.newContext({ locale: 'en-US', viewport: SIZE, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(STEP_MS)
  const hand = new Hand(page)
  try {
    await page.goto(url)
    await task.work(hand)
    await task.confirm()
    return hand.effort()
  } catch (error) {
    const picture = process.env['FAILURE_PICTURE']
    if (picture !== undefined) await page.screenshot({ path: picture })
    throw new Error(`${name}: the task stopped at ${page.url()}`, { cause: error })
  } finally {
    await context.close()
  }
}
