import { existsSync } from 'node:fs'
import { arch, platform } from 'node:os'
import type { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Without these a browser sends many requests to the servers of its vendor. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
]

/** Why there is no browser to test with; undefined when there is one. */
export const NO_BROWSER = hasBundledBrowser() || installed() ? undefined : 'no browser: install Chrome or Chromium'

/**
 * Starts a headless browser: the one of the npm package on Linux x64, an installed one elsewhere.
 * @throws Error when it does not start
 */
export async function startBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  if (!hasBundledBrowser()) {
    const path = installed()
    return chromium.launch({
      args: [...QUIET, '--no-sandbox'],
      ...(path ? { executablePath: path } : { channel: 'chrome' }),
    })
  }
  // With this variable the package unpacks the libraries that a bare system lacks.
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs22.x'
  const { default: bundled } = await import('@sparticuz/chromium')
  // In a single process the second window of a browser never loads.
  const args = bundled.args.filter((argument) => argument !== '--single-process')
  return chromium.launch({ args: [...args, ...QUIET], executablePath: await bundled.executablePath() })
}

/** Adds what a page reports to the faults: errors of scripts and of its console, except the expected texts. */
export function watchFaults(page: Page, faults: string[], expected: RegExp): void {
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) faults.push(`${page.url()}: ${message.text()}`)
  })
}

/** What an analysis of a page finds that is serious for a screen reader, the keyboard or strong contrast. */
export async function seriousViolations(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}

function hasBundledBrowser(): boolean {
  return platform() === 'linux' && arch() === 'x64'
}

function installed(): string | undefined {
  return INSTALLED.find((path) => existsSync(path))
}
