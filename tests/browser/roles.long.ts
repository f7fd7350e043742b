import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AdminRole, ROLE_PERMISSIONS, type Permission } from '@storefront/contracts'
import { readAccess, type ServiceRoute } from '@storefront/tools/access'
import { waitFor } from '@storefront/tools/testing'
import { openConsole, type TestConsole } from '../support/console.ts'
import { chooseFile, holdWrites, pressEverything } from '../support/press-everything.ts'
import { fillEveryScreen } from '../support/fill-every-screen.ts'
import { UNPRESSED } from '../support/unpressed-operations.ts'

const ROUTER = join(import.meta.dirname, '../../apps/console/src/shell/router.ts')
/** Stays open as long as the page. */
const UPDATES = '/admin/console/updates'
const COUNTS = 'sku;quantity\nrole-shirt-M;1'
const NOT_ALLOWED = 'Your role does not allow this'
/** What only owners may do here, although other roles have the permission: the notes are those of the owner. */
const OF_OWNERS = new Set([
  'DELETE /admin/buyers/:id',
  'DELETE /admin/buyers/:id/notes/:noteId',
  'DELETE /admin/customers/:id',
  'DELETE /admin/orders/:id/notes/:noteId',
])

/** What one screen did when a person opened it and pressed everything. */
interface Visit {
  isAllowed: boolean
  /** Whether the navigation has a link to this address. */
  isInMenu: boolean
  /** Operations, such as `GET /admin/orders/:id`. */
  reads: Set<string>
  /** The same with the path of a request. */
  writes: Map<string, string>
  /** Paths of the links beside those of the menu. */
  links: string[]
  /** What went wrong: a screen that was not loaded, and requests that the API forbids. */
  faults: string[]
}

let merchants: TestConsole
let routes: ServiceRoute[]
/** The address of each screen, by its path in the router. */
let addresses: ReadonlyMap<string, string>
/** What an owner, who may do everything, can do on each screen. */
let owner: ReadonlyMap<string, Visit>

beforeAll(async () => {
  merchants = await openConsole()
  const { shop } = merchants
  routes = await readAccess(shop.shop.services)
  addresses = addressesOf(await readFile(ROUTER, 'utf8'), await fillEveryScreen(shop))
  owner = (await visitAll('owner')).visits
})
afterAll(() => merchants.stopWithoutFault())

/** @param records the end of the address of each screen that shows one record */
function addressesOf(router: string, records: Record<string, string>): Map<string, string> {
  const paths = [...router.matchAll(/route\(\s*'([^']+)'/g)].map(([, path = '']) => path)
  return new Map(
    paths.map((path) => {
      const address = records[path] ?? path
      if (address.includes('$')) throw new Error(`fillEveryScreen makes no record for ${path}`)
      return [path, address]
    }),
  )
}

/** The operation of a request. A path of its own goes before one with a parameter. */
function operationOf(method: string, path: string): string {
  const fits = routes.filter((route) => {
    const pattern = route.path.replaceAll(/:\w+|\*/g, '[^/]+')
    return route.method === method && new RegExp(`^${pattern}$`).test(path)
  })
  const best = fits.find((route) => route.path === path) ?? fits[0]
  if (!best) throw new Error(`the API has no operation ${method} ${path}`)
  return `${best.method} ${best.path}`
}

/** The path in the router of the screen at an address. */
function screenAt(pathname: string): string {
  const address = pathname.replace(/^\/console/, '') || '/'
  const fits = (path: string) => new RegExp(`^${path.replaceAll('$id', '[^/]+')}$`).test(address)
  const screen = addresses.has(address) ? address : [...addresses.keys()].find(fits)
  if (screen === undefined) throw new Error(`no screen has the address ${pathname}`)
  return screen
}

/** Whether the API lets a role call an operation, with the records of this test. */
function mayCall(role: AdminRole, operation: string): boolean {
  return hasPermission(role, operation) && (role === 'owner' || !OF_OWNERS.has(operation))
}

function hasPermission(role: AdminRole, operation: string): boolean {
  const route = routes.find(({ method, path }) => `${method} ${path}` === operation)
  if (!route) throw new Error(`no operation ${operation}`)
  const permissions: readonly Permission[] = ROLE_PERMISSIONS[role]
  return typeof route.access !== 'object' || permissions.includes(route.access.admin)
}

async function visitAll(role: AdminRole): Promise<{ page: Page; visits: Map<string, Visit> }> {
  const page = await merchants.open('/', role)
  const visits = new Map<string, Visit>()
  let current: Visit = newVisit()
  const waiting = new Set<Request>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/admin/') || pathname === UPDATES) return
    waiting.add(request)
    if (request.method() === 'GET') current.reads.add(operationOf('GET', pathname))
  })
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  page.on('response', (response) => {
    if (response.status() === 403) current.faults.push(`403 for ${response.url()}`)
  })
  await holdWrites(page, (method, path) => current.writes.set(operationOf(method, path), path))
  for (const [path, address] of addresses) {
    // What the last screen still reads does not belong to this one.
    await page.goto('about:blank')
    current = newVisit()
    waiting.clear()
    await page.goto(`/console${address === '/' ? '' : address}`)
    await waitFor(`${role} on ${address}`, async () => waiting.size === 0 && (await isComplete(page)))
    await look(page, current, path)
    if (current.isAllowed) {
      current.links = (await pressEverything(page, COUNTS)).filter((path) => path.startsWith('/console'))
      await chooseFile(page)
    }
    visits.set(path, current)
  }
  return { page, visits }
}

function newVisit(): Visit {
  return { isAllowed: false, isInMenu: false, reads: new Set(), writes: new Map(), links: [], faults: [] }
}

const isComplete = async (page: Page): Promise<boolean> =>
  (await page.locator(`main h1, main :text("${NOT_ALLOWED}")`).count()) > 0 &&
  (await page.locator('main .mantine-Skeleton-root:visible').count()) === 0

async function look(page: Page, visit: Visit, path: string): Promise<void> {
  visit.isAllowed = (await page.getByText(NOT_ALLOWED).count()) === 0
  const links = z
    .array(z.string())
    .parse(await page.evaluate(`[...document.querySelectorAll('nav a')].map((link) => link.pathname)`))
  visit.isInMenu = links.some((link) => link.replace(/\/$/, '') === `/console${path}`.replace(/\/$/, ''))
  if ((await page.getByText('This could not be loaded').count()) > 0) visit.faults.push('is not loaded')
}

test('an owner can do on the screens what the admin API offers to people', () => {
  const done = new Set([...owner.values()].flatMap(({ reads, writes }) => [...reads, ...writes.keys()]))
  const offered = routes
    .filter(({ access }) => access === 'admin-user' || typeof access === 'object')
    .map(({ method, path }) => `${method} ${path}`)
  expect([...owner].filter(([, { isAllowed }]) => !isAllowed)).toEqual([])
  // The tests of other roles press the same controls: they say nothing about one that is not pressed here.
  expect(offered.filter((operation) => !done.has(operation) && !UNPRESSED.has(operation))).toEqual([])
})

describe.each(AdminRole.options.filter((role) => role !== 'owner'))('a user with the role %s', (role) => {
  let page: Page
  let visits: ReadonlyMap<string, Visit>
  beforeAll(async () => {
    ;({ page, visits } = await visitAll(role))
  })
  const may = (operation: string) => mayCall(role, operation)
  const each = () => [...visits].map(([path, visit]) => ({ path, visit, whole: owner.get(path) ?? newVisit() }))

  test('finds each screen complete, and it sends nothing that the API forbids', () => {
    const wrong = each().flatMap(({ path, visit }) => visit.faults.map((fault) => `${path}: ${fault}`))
    expect(wrong).toEqual([])
  })

  test('finds a screen in the menu if, and only if, it may be opened', () => {
    const wrong = each().filter(({ visit, whole }) => whole.isInMenu && visit.isInMenu !== visit.isAllowed)
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('finds the screens of the menu in the palette, and no others', async () => {
    await page.goto('/console/products')
    const menu = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
    await menu.getByText('Library').waitFor()
    await page.keyboard.press('Control+K')
    const palette = page.locator('.mantine-Spotlight-actionLabel')
    await palette.first().waitFor()
    expect(await palette.allTextContents()).toEqual(await menu.allTextContents())
  })

  test('finds no link to a screen that is not for the role', () => {
    const isForbidden = (link: string) => visits.get(screenAt(link))?.isAllowed === false
    const wrong = each().flatMap(({ path, visit }) => visit.links.filter(isForbidden).map((link) => `${path}: ${link}`))
    expect(wrong).toEqual([])
  })

  test('reads that a screen is not for the role if, and only if, the API lets it neither read nor change it', () => {
    const wrong = each().filter(({ path, visit, whole }) => {
      const { writes } = whole
      // The form of a new draft order sends nothing before its address is complete.
      const isForWriting = writes.size > 0 ? ![...writes.keys()].some(may) : path.endsWith('/new')
      return visit.isAllowed ? ![...visit.reads].every(may) : [...whole.reads].every(may) && !isForWriting
    })
    expect(
      wrong.map(({ path, whole }) => ({ path, reads: [...whole.reads], writes: [...whole.writes.keys()] })),
    ).toEqual([])
  })

  test('finds no control that sends what the role may not do', () => {
    const wrong = each().flatMap(({ path, visit }) =>
      [...visit.writes.keys()].filter((operation) => !may(operation)).map((operation) => `${path}: ${operation}`),
    )
    expect(wrong).toEqual([])
  })

  test('finds every control that sends what the role may do', () => {
    const missing = each().flatMap(({ path, visit, whole }) =>
      [...whole.writes.keys()]
        .filter((operation) => visit.isAllowed && may(operation) && !visit.writes.has(operation))
        .map((operation) => `${path}: ${operation}`),
    )
    expect(missing).toEqual([])
  })

  test('gets 403 for what only owners may do', async () => {
    const written = new Map([...owner.values()].flatMap(({ writes }) => [...writes]))
    const answers = [...OF_OWNERS].map(async (operation): Promise<[string, number]> => [
      operation,
      await statusOf(page, operation, written),
    ])
    expect(Object.fromEntries(await Promise.all(answers))).toEqual(
      Object.fromEntries([...OF_OWNERS].map((operation) => [operation, 403])),
    )
  })
})

/** The status of an operation with the record that the owner would have changed. */
async function statusOf(page: Page, operation: string, written: ReadonlyMap<string, string>): Promise<number> {
  const [method = ''] = operation.split(' ')
  const path = written.get(operation)
  if (path === undefined) throw new Error(`the owner finds no control for ${operation}`)
  const url = `${merchants.shop.shop.url}${path}`
  return (await page.context().request.fetch(url, { method, headers: { 'x-console': '1' } })).status()
}
