import type { Page } from 'playwright-core'
import { z } from 'zod'
import { isRenewal } from './console.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const PICTURE = { name: 'probe.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') }
const TABLE = { name: 'probe.csv', mimeType: 'text/csv', buffer: Buffer.from('slug,title\nprobe,Probe\n') }

/**
 * Runs in the page: fills every field of it, presses every control, and does the same in each dialog and menu that
 * opens.
 */
const PRESS = `(async (counts) => {
  const MAX_PRESSED = 60
  const MAX_FILLED = 40
  const WORD = /^Type (.+) to confirm$/
  const LEAVES = /^(Close|Cancel|Clear|Back|Discard|Discard changes|Stay)$/
  const CONTROLS = 'button, [role="menuitem"], input[type="checkbox"], input[type="radio"]'
  const pressed = []
  const links = new Set()
  const start = location.pathname
  let filled = 0

  // A save may read first and write then, and a list is read again after it: it has ended when no request is under way
  // and none follows.
  let underWay = 0
  let hasSent = false
  const send = window.fetch
  window.fetch = async (...call) => {
    underWay++
    hasSent = true
    try {
      return await send(...call)
    } finally {
      setTimeout(() => underWay--, 20)
    }
  }
  async function settled() {
    for (let tries = 0, quiet = 0; quiet < (hasSent ? 6 : 1) && tries < 100; tries++) {
      await new Promise((done) => setTimeout(done, 20))
      quiet = underWay > 0 ? 0 : quiet + 1
    }
    hasSent = false
  }
  const isVisible = (one) => one.isConnected && one.checkVisibility()
  const isUsable = (one) => isVisible(one) && !one.matches(':disabled') && one.getAttribute('aria-disabled') !== 'true'
  const overlays = () => [...document.querySelectorAll('[role="dialog"], [role="menu"]')].filter(isVisible)
  const nameOf = (one) => one.getAttribute('aria-label') || one.labels?.[0]?.textContent || one.textContent.trim() || one.type

  // Links are not followed.
  function noteLinks() {
    for (const link of document.querySelectorAll('main a, [role="dialog"] a, [role="menu"] a')) {
      if (isVisible(link)) links.add(link.pathname)
    }
  }

  // Each value is later or larger than the one before, as forms want the end after the beginning.
  function valueFor(field) {
    const word = WORD.exec(field.labels?.[0]?.textContent ?? '')?.[1]
    if (word) return word
    if (nameOf(field) === 'Counts') return counts
    const day = '2031-05-' + String(1 + (filled % 28)).padStart(2, '0')
    if (field.type === 'email') return 'probe@mail.example'
    if (field.type === 'date') return day
    if (field.type === 'datetime-local') return day + 'T10:00'
    if (field.type === 'password') return 'a long password of the probe'
    if (field.type === 'number' || ['numeric', 'decimal'].includes(field.inputMode)) return String(6 + filled)
    return field.type === 'url' || /address|url/i.test(nameOf(field)) ? 'https://probe.example/page' : 'probe' + filled
  }

  async function fill(root) {
    const types = ['checkbox', 'radio', 'file', 'search', 'hidden']
    for (const field of root.querySelectorAll('input, textarea')) {
      if (!isUsable(field) || field.readOnly || types.includes(field.type) || field.dataset.probed) continue
      if (field.getAttribute('role') === 'combobox' || filled >= MAX_FILLED) continue
      field.dataset.probed = 'yes'
      filled++
      field.focus()
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, valueFor(field))
      field.dispatchEvent(new Event('input', { bubbles: true }))
      const enter = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true })
      if (field.tagName === 'INPUT' && !field.form) field.dispatchEvent(enter)
      field.blur()
      await settled()
    }
  }

  /** What saves comes first, and what shows another list last. Rows have the same controls: one of each is enough. */
  function nextOf(root, done) {
    const rank = (one) => (one.type === 'submit' || /^(Save|Create)/.test(nameOf(one)) ? 0 : one.type === 'radio' || one.role === 'tab' ? 2 : 1)
    const ofMain = (one) => root.tagName !== 'MAIN' || !one.closest('[role="dialog"], [role="menu"]')
    const kindOf = (one) => nameOf(one).replace(/(for|of|about) .*/, '')
    const next = [...root.querySelectorAll(CONTROLS)]
      .filter((one) => isUsable(one) && ofMain(one) && !LEAVES.test(nameOf(one)) && !done.has(kindOf(one)))
      .toSorted((one, other) => rank(one) - rank(other))[0]
    if (next) done.add(kindOf(next))
    return next
  }

  async function press(control) {
    pressed.push(nameOf(control))
    control.click()
    await settled()
    if (location.pathname === start) noteLinks()
    for (let tries = 0; location.pathname !== start && tries < 20; tries++) {
      if (tries === 0) history.back()
      await settled()
    }
  }

  async function closed(over) {
    const inside = over.contains(document.activeElement) ? document.activeElement : over
    inside.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true }))
    await settled()
    if (isVisible(over)) over.querySelector('[aria-label="Close"]')?.click()
    await settled()
  }

  /** The control itself, or the one in its place when an item led to another screen and back. */
  const inPlaceOf = (one) =>
    one.isConnected ? one : [...document.querySelectorAll(CONTROLS)].find((other) => nameOf(other) === nameOf(one))

  /** A menu closes with each of its items, and is opened again for the next one. */
  async function pressItems(trigger, depth) {
    const count = overlays().at(-1).querySelectorAll('[role="menuitem"]').length
    for (let index = 0; index < count && pressed.length < MAX_PRESSED; index++) {
      const opener = inPlaceOf(trigger)
      if (overlays().length <= depth && opener && isUsable(opener)) await press(opener)
      const menu = overlays().at(-1)
      const item = menu?.querySelectorAll('[role="menuitem"]')[index]
      if (!item || !isUsable(item) || item.tagName === 'A') continue
      await press(item)
      if (overlays().at(-1) !== menu) await pressOverlays(item, depth)
    }
    const menu = overlays().at(-1)
    if (menu && overlays().length > depth) await closed(menu)
  }

  async function pressOverlays(trigger, depth) {
    for (let layers = 0; overlays().length > depth && layers < 4; layers++) {
      const over = overlays().at(-1)
      if (over.role === 'menu') await pressItems(trigger, depth)
      else {
        await pressAll(over, overlays().length)
        if (isVisible(over)) await closed(over)
      }
    }
  }

  async function pressAll(root, depth) {
    const done = new Set()
    await fill(root)
    for (let next = nextOf(root, done); next && pressed.length < MAX_PRESSED; next = nextOf(root, done)) {
      await press(next)
      await pressOverlays(next, depth)
      if (!isVisible(root) && depth > 0) return
      if (!root.isConnected) root = document.querySelector('main')
      await fill(root)
    }
  }

  noteLinks()
  await pressAll(document.querySelector('main'), 0)
  await settled()
  window.fetch = send
  return [...links]
})()`

/**
 * Fills every field of a screen and presses every control. What writes must not reach the shop: see `holdWrites`.
 * @param counts what is typed as the result of a stocktake
 * @returns the paths of the links that it saw meanwhile, in dialogs and menus, too
 */
export async function pressEverything(page: Page, counts: string): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate(PRESS.replace(/\(\)$/, () => `(${JSON.stringify(counts)})`)))
}

/** Chooses a file where a screen accepts one. */
export async function chooseFile(page: Page): Promise<void> {
  const input = page.locator('main input[type="file"]:enabled').first()
  if ((await input.count()) === 0) return
  const isPicture = (await input.getAttribute('accept'))?.includes('image') ?? false
  const sent = page.waitForRequest((request) => request.method() !== 'GET', { timeout: 2000 })
  await input.setInputFiles(isPicture ? PICTURE : TABLE)
  // One that is not sent at once is compared in the page.
  await sent.catch(() => {})
}

/** Keeps everything that would change the shop from reaching it. @param onWrite gets the method and path of each */
export async function holdWrites(page: Page, onWrite: (method: string, path: string) => void): Promise<void> {
  await page.route(/\/admin\//, async (route) => {
    const request = route.request()
    if (request.method() === 'GET' || isRenewal(request)) return route.fallback()
    onWrite(request.method(), new URL(request.url()).pathname)
    const body = { code: 'validation_failed', message: 'The test keeps this from the shop.', requestId: 'none' }
    await route.fulfill({ status: 422, json: body })
  })
}
