import { existsSync } from 'node:fs'
import { arch, platform } from 'node:os'
import type { Browser } from 'playwright-core'

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

function hasBundledBrowser(): boolean {
  return platform() === 'linux' && arch() === 'x64'
}

function installed(): string | undefined {
  return INSTALLED.find((path) => existsSync(path))
}
