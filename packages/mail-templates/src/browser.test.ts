import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { MailKind } from './mail-kind.ts'
import { isAccountMail, isAlertMail, renderAccountMail, renderAlertMail, renderOrderMail } from './render-mail.ts'
import { sampleAccountData, sampleAlertData, sampleOrderData } from './sample-data.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
if (!CHROMIUM)
  process.stderr.write('NOT TESTED: how mails look in a browser, because there is no Chromium on this machine\n')

/** Mails with a table of items. */
const LISTS_ITEMS: readonly MailKind[] = ['orderPlaced', 'paymentCaptured', 'partlyShipped', 'shipped', 'cancelled']

/** What a recipient sees, with inherited colors resolved. */
const Seen = z.object({
  headings: z.array(z.string()),
  language: z.string(),
  title: z.string(),
  links: z.array(z.string()),
  focused: z.array(z.string()),
  tables: z.array(z.object({ caption: z.string(), columns: z.number(), cellsWithoutHeader: z.number() })),
  overflow: z.number(),
  contrasts: z.array(z.object({ text: z.string(), ratio: z.number() })),
})

const LOOK = `(() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
  const luminance = (color) => channels(color).slice(0, 3)
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0)
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor
      const [, , , alpha = 1] = channels(color)
      if (alpha > 0) return color
    }
    return 'rgb(255, 255, 255)'
  }
  const contrast = (element) => {
    const [light, dark] = [getComputedStyle(element).color, behind(element)].map(luminance).sort((a, b) => b - a)
    return (light + 0.05) / (dark + 0.05)
  }
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) if (walker.currentNode.data.trim() !== '') texts.push(walker.currentNode)
  const links = [...document.querySelectorAll('a')]
  return {
    headings: [...document.querySelectorAll('h1')].map((each) => each.textContent),
    language: document.documentElement.lang,
    title: document.title,
    links: links.map((each) => each.textContent.trim()),
    focused: links.filter((each) => (each.focus(), document.activeElement === each)).map((each) => each.textContent.trim()),
    tables: [...document.querySelectorAll('table:not([role=presentation])')].map((table) => ({
      caption: table.caption?.textContent ?? '',
      columns: table.querySelectorAll('thead th[scope=col]').length,
      cellsWithoutHeader: [...table.rows].filter((row) => row.querySelector('td') && !row.querySelector('th[scope=row]')).length,
    })),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    contrasts: texts.map((node) => ({ text: node.data.trim(), ratio: contrast(node.parentElement) })),
  }
})()`

const Reply = z.object({ id: z.number().optional(), result: z.unknown().optional(), error: z.unknown().optional() })

interface Page {
  call: (method: string, params?: object) => Promise<unknown>
  close: () => void
}

/** The first page of a browser, over the DevTools protocol. */
async function openPage(port: number): Promise<Page> {
  const targets = z
    .array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string() }))
    .parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json())
  const socket = new WebSocket(targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = Reply.parse(JSON.parse(String(data)))
    const caller = id === undefined ? undefined : waiting.get(id)
    if (error === undefined) caller?.resolve(result)
    else caller?.reject(new Error(JSON.stringify(error)))
  })
  let last = 0
  return {
    call: (method, params = {}) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject })
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    close: () => socket.close(),
  }
}

describe.skipIf(!CHROMIUM)('in a browser', () => {
  let folder: string
  let browser: ChildProcess
  let page: Page | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storefront-browser-'))
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--no-first-run']
    browser = spawn(CHROMIUM ?? '', [...flags, `--user-data-dir=${folder}`, 'about:blank'], {
      stdio: 'ignore',
      detached: true,
    })
    const port = await vi.waitUntil(
      async () => Number((await readFile(join(folder, 'DevToolsActivePort'), 'utf8').catch(() => '')).split('\n')[0]),
      { timeout: 50_000, interval: 100 },
    )
    page = await openPage(port)
  })
  afterAll(async () => {
    page?.close()
    const ended = new Promise((resolve) => browser.once('exit', resolve))
    if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  async function look(html: string, { width, dark }: { width: number; dark: boolean }) {
    await page?.call('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: false })
    await page?.call('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
    })
    const { frameTree } = z
      .object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) })
      .parse(await page?.call('Page.getFrameTree'))
    await page?.call('Page.setDocumentContent', { frameId: frameTree.frame.id, html })
    const response = await page?.call('Runtime.evaluate', { expression: LOOK, returnByValue: true })
    return z.object({ result: z.object({ value: Seen }) }).parse(response).result.value
  }

  const write = (kind: MailKind, locale = 'en-US', currency = 'USD') => {
    const shop = {
      name: 'Linen & Sons',
      address: 'Linen & Sons Ltd\n12 Analytical Row\nLondon',
      publicUrl: 'https://shop.example',
      locale,
    }
    if (isAlertMail(kind)) return renderAlertMail(kind, sampleAlertData(kind, { currency }), shop)
    return isAccountMail(kind)
      ? renderAccountMail(kind, sampleAccountData(), shop)
      : renderOrderMail(kind, sampleOrderData({ locale, currency }), shop)
  }

  // A window of 640 pixels also has 320 pixels at a zoom of 200 percent.
  describe.each([
    { width: 320, dark: false },
    { width: 320, dark: true },
    { width: 1280, dark: false },
  ])('a mail that is $width pixels wide, dark: $dark', (given) => {
    test.each(MailKind.options)('%s is readable and accessible', async (kind) => {
      const mail = write(kind)
      const seen = await look(mail.html, given)
      expect(seen.headings).toHaveLength(1)
      expect(seen).toMatchObject({ language: 'en-US', title: mail.subject, overflow: 0 })
      expect(seen.contrasts.length).toBeGreaterThan(1)
      expect(seen.contrasts.filter(({ ratio }) => ratio < 4.5)).toEqual([])
      expect(seen.focused).toEqual(seen.links)
      expect(seen.links.filter((text) => text === '')).toEqual([])
      const caption = kind === 'partlyShipped' ? 'On its way' : 'Your order'
      const table = { caption, columns: 2, cellsWithoutHeader: 0 }
      expect(seen.tables).toEqual(LISTS_ITEMS.includes(kind) ? [table] : [])
    })
  })

  test('large amounts and long names do not cause scrolling', async () => {
    const data = sampleOrderData({ locale: 'hi-IN', currency: 'INR' })
    const expensive = { amount: 998_999_999_999, currency: 'INR' }
    const order = {
      ...data.order,
      total: expensive,
      lines: data.order.lines.map((line) => ({
        ...line,
        lineTotal: expensive,
        quantity: 999,
        title: 'Donaudampfschifffahrt'.repeat(10),
      })),
    }
    const { html } = renderOrderMail(
      'orderPlaced',
      { ...data, order },
      {
        name: 'Linen',
        publicUrl: 'https://shop.example',
        locale: 'hi-IN',
      },
    )
    expect((await look(html, { width: 320, dark: false })).overflow).toBe(0)
  })

  test('the checks of these tests detect unreadable text and scrolling', async () => {
    const poor = '<p style="color:#999999;width:500px">grey</p>'
    const seen = await look(poor, { width: 320, dark: false })
    expect(seen.overflow).toBeGreaterThan(0)
    expect(seen.contrasts).toEqual([{ text: 'grey', ratio: expect.closeTo(2.85, 1) }])
  })
})
