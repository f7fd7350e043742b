import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from 'playwright-core'

/** Lighthouse loads no page in the browser of the npm package. */
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const START_MS = 15_000

function chromePath(): string {
  const path = process.env['CHROME_PATH'] ?? INSTALLED.find((each) => existsSync(each))
  if (path === undefined) throw new Error('Install Chrome or Chromium, or name one in CHROME_PATH.')
  return path
}

/** Puts a unit into the bag of a browser that keeps its storage in this folder. @param product the page of a product */
export async function fillBag(folder: string, product: string): Promise<void> {
  const options = { executablePath: chromePath(), args: FLAGS, serviceWorkers: 'block' } as const
  const context = await chromium.launchPersistentContext(folder, options)
  try {
    const page = await context.newPage()
    await page.goto(product)
    await page.locator('label', { hasText: /^M$/ }).click()
    await page.getByRole('button', { name: 'Add to bag' }).first().click()
    await page.locator('#bag[open]').waitFor()
  } finally {
    await context.close()
  }
}

/** Starts the browser that keeps its storage in this folder. @param port of the debugging protocol */
export async function startChrome(folder: string, port: number): Promise<ChildProcess> {
  const own = ['--headless=new', `--remote-debugging-port=${port}`, `--user-data-dir=${folder}`, 'about:blank']
  const browser = spawn(chromePath(), [...FLAGS, ...own], { stdio: 'ignore' })
  await once(browser, 'spawn')
  const endMs = performance.now() + START_MS
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/json/version`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return browser
    if (performance.now() > endMs) throw new Error('the browser did not start')
    await pause(100)
  }
}
