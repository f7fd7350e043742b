import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { launch, type RunningShop } from '@storefront/tools/launch'
import { listen } from '@storefront/tools/listen'
import { createFakeRazorpay, packageCache, type FakeRazorpay } from '@storefront/tools/testing'
import { runSteps, type Step } from './real-client/run-steps.ts'
import type { StepOptions } from './real-client/steps/step.ts'
import { NO_BROWSER, startBrowser } from './support/browser.ts'
import { printSkipped } from './support/print-skipped.ts'
import { shareServers } from './support/shop.ts'

let shop: RunningShop
let cleanUp: () => Promise<void>
let dataDir: string
let razorpay: FakeRazorpay
let storefront: Storefront
let picture: Buffer<ArrayBuffer>

beforeAll(async () => {
  razorpay = await createFakeRazorpay()
  storefront = await serveStorefront()
  picture = Buffer.from(
    await sharp({ create: { width: 40, height: 50, channels: 3, background: '#2a3b4c' } })
      .png()
      .toBuffer(),
  )
  dataDir = await mkdtemp(join(tmpdir(), 'storefront-real-client-'))
  const { sharedServers, removed } = await shareServers()
  cleanUp = removed
  shop = await launch({
    sharedServers,
    inThisProcess: true,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      STOREFRONT_ORIGINS: storefront.origin,
      PASSWORD_HASH_COST: 'lowest',
      SECRETS_KEY: 'a key for the secrets of this shop',
      RAZORPAY_BASE_URL: razorpay.url,
      RAZORPAY_KEY_SECRET: razorpay.keySecret,
      RATE_LIMIT_GENERAL: '0',
      RATE_LIMIT_AUTH: '0',
      RATE_LIMIT_LOOKUP: '0',
      RATE_LIMIT_NEWSLETTER: '0',
    },
    dataDir,
    cacheDir: packageCache(),
    // The storefront of a newcomer meets the demo shop first.
    seed: true,
    print: () => {},
  })
})

afterAll(async () => {
  await shop.stop()
  await cleanUp()
  await Promise.all([razorpay.stop(), storefront.stop()])
  await rm(dataDir, { recursive: true, force: true })
})

const failuresOf = (steps: readonly Step[]) =>
  steps.flatMap(({ name, failure }) => (failure === undefined ? [] : [{ name, failure }]))
const STEPS = 45

describe('the existing storefront, unmodified,', () => {
  test('makes every call of its adapter in Node, and can render every reply', async () => {
    const steps = await runSteps({
      ...options(),
      fetch: fetchWithCookies(storefront.origin),
      picture: new Blob([picture], { type: 'image/png' }),
      payAtRazorpay: (id) => Promise.resolve({ ...razorpay.pay(id) }),
    })
    expect(failuresOf(steps)).toEqual([])
    expect(steps.length).toBeGreaterThanOrEqual(STEPS)
  })

  if (NO_BROWSER !== undefined) printSkipped('the storefront in a browser', NO_BROWSER)
  test.skipIf(NO_BROWSER !== undefined)('makes every call from its own origin in a browser', async () => {
    const browser = await startBrowser()
    try {
      const page = await browser.newPage()
      const blocked: string[] = []
      page.on('console', (message) => {
        if (/CORS|Content Security Policy/.test(message.text())) blocked.push(message.text())
      })
      await page.exposeFunction('payAtRazorpay', (id: string) => razorpay.pay(id))
      await page.goto(storefront.origin)
      const steps = Steps.parse(
        await page.evaluate(`callTheShop(${JSON.stringify({ ...options(), picture: picture.toString('base64') })})`),
      )
      expect(failuresOf(steps)).toEqual([])
      expect(steps.length).toBeGreaterThanOrEqual(STEPS)
      expect(blocked).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

const Steps = z.array(z.object({ name: z.string(), failure: z.string().exactOptional() }))

function options(): Omit<StepOptions, 'fetch' | 'picture' | 'payAtRazorpay'> {
  // The address that a newcomer configures, because a browser would not keep the cookie of a shop on another site.
  const { publicUrl: baseUrl, adminEmail, adminPassword } = shop
  return { baseUrl, origin: storefront.origin, adminEmail, adminPassword, razorpayKeyId: razorpay.keyId }
}

/** Keeps cookies and sends its origin, as browsers do. */
function fetchWithCookies(origin: string): typeof fetch {
  const cookies = new Map<string, string>()
  return async (address, init) => {
    const headers = new Headers(init?.headers)
    headers.set('origin', origin)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(address, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
}

interface Storefront {
  origin: string
  stop(): Promise<void>
}

/** A static page on its own origin, with the calls of the storefront as its script. */
async function serveStorefront(): Promise<Storefront> {
  const bundle = await rolldown({
    input: 'page',
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? id : null),
        load: (id) => (id === 'page' ? PAGE_SCRIPT : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'iife' })
  await bundle.close()
  const page = `<!doctype html><meta charset="utf-8"><title>Storefront</title><script>${output[0].code}</script>`
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  const { url, close } = await listen(server, 'localhost')
  return { origin: url, stop: close }
}

const PAGE_SCRIPT = `
import { runSteps } from ${JSON.stringify(resolve(import.meta.dirname, 'real-client/run-steps.ts'))}
window.callTheShop = ({ picture, ...options }) => runSteps({
  ...options,
  fetch: (address, init) => fetch(address, init),
  picture: new Blob([Uint8Array.from(atob(picture), (character) => character.charCodeAt(0))], { type: 'image/png' }),
  payAtRazorpay: window.payAtRazorpay,
})`
