import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Cart, Customer, ERROR_STATUS, isErrorCode, Order } from '@storefront/contracts'
import { amount, expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import {
  BODIES,
  BODIES_OF,
  FEW_VALUES,
  HEADER_VALUES,
  QUERY_VALUES,
  SEGMENTS,
  TWO_MEBIBYTES,
  VALUES,
  type HostileBody,
} from './support/hostile-values.ts'
import { retryUntilAvailable } from './support/buyers.ts'
import {
  pathsIn,
  readApi,
  sampleOf,
  textWith,
  type Api,
  type ApiOperation,
  type ValuePath,
} from './support/operations.ts'
import { waitForPayment } from './support/paid-order.ts'
import { openRawClient, type RawResponse, type RawClient, type RawRequest } from './support/raw-request.ts'
import { openShop, type TestShop } from './support/shop.ts'
import { ADDRESS, ORIGIN, type TestClient } from './support/test-client.ts'

const AT_ONCE = 8
/**
 * All values at all places by all callers take ten minutes, in `npm run test:long`. A quick run tries every value,
 * every place and every caller, each place with another part of the values by the next caller who is admitted, and each
 * operation by one of the callers who are turned away.
 */
const PARTS = amount({ quick: 180, long: 1 })
const QUICK = amount({ quick: true, long: false })
/** A successful request signs out all users. */
const ROTATE_SIGNING_KEYS = '/admin/signing-keys/rotate'
/** It has the same body as the other checkout, which is tested in full, and also names the cart. */
const SAME_CHECKOUT = '/checkout/sessions'
const FITTING = 'a fitting body'
const CODE_FOR_CARTS = 'HOSTILE-CART'
const CODE_TO_CHANGE = 'HOSTILE-CHANGE'
const CODE_TO_IMPORT = 'HOSTILE-IMPORT'
/** These operations accept only a token from a mail, or a signature of a payment provider. */
const NEED_A_SECRET = new Set([
  '/alerts/confirm',
  '/alerts/unsubscribe',
  '/auth/email/verify',
  '/auth/password/reset',
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/payments/verify',
])

let shop: TestShop
let api: Api
let client: RawClient
let callers: Caller[]
let variantId: string
/** An endpoint of a merchant, so that requests about it do not change that of the storefront. */
let endpointId: string
/** Authenticates an admin whose session has ended. */
let secretKey: string

interface Caller {
  name: 'an anonymous visitor' | 'a customer' | 'an admin'
  client: TestClient
  orderId: string
  addressId: string
}

interface Case extends RawRequest {
  what: string
  /** For a request without a body: whether its description says that a body is required. */
  lacksRequiredBody?: boolean | undefined
  /**
   * The error codes that its operation may return; undefined where the path or the method belongs to no operation, or
   * to another.
   */
  declared?: ReadonlySet<string> | undefined
}

/** Builds one request when it is due, so that carts are only created for requests that are sent. */
type Attempt = () => Promise<Case>

beforeAll(async () => {
  shop = await openShop()
  const product = await shop.stockProduct('hostile-shirt', 100_000)
  variantId = product.variants[0]?.id ?? ''
  expect((await shop.admin.post('/admin/import', SAMPLES)).status).toBe(200)
  for (const code of [CODE_FOR_CARTS, CODE_TO_CHANGE]) {
    expect((await shop.admin.post('/admin/discounts', { code, kind: 'shipping' })).status).toBe(200)
  }
  const endpoint = await shop.admin.post('/admin/webhooks', {
    url: 'https://hooks.hostile.example',
    types: ['order.paid'],
  })
  endpointId = z.object({ id: z.string() }).parse(endpoint.body).id
  const expiresAt = new Date(Date.now() + 24 * 3600_000).toISOString()
  const confirmation = { expiresAt, currentPassword: shop.shop.adminPassword }
  const wayOut = { name: 'the way out', permissions: ['admins:write'], ...confirmation }
  const made = await shop.admin.post('/admin/api-keys', wayOut)
  secretKey = z.object({ key: z.string() }).parse(made.body).key
  // It lacks the part of a service that responds late.
  const description = await waitFor('the description of all services', async () => {
    const { body } = await shop.client().get('/openapi.json')
    return 'x-unavailable' in z.looseObject({}).parse(body) ? undefined : body
  })
  api = readApi(description)
  client = openRawClient(shop.shop.url, AT_ONCE)
  const customer = shop.client()
  await customer.register('customer@hostile.example')
  const account = Customer.parse((await customer.post('/me/addresses', ADDRESS)).body)
  const makeCaller = async (name: Caller['name'], client: TestClient): Promise<Caller> => ({
    name,
    client,
    orderId: (await client.buy(variantId)).id,
    addressId: account.addresses[0]?.id ?? '',
  })
  callers = [
    await makeCaller('an anonymous visitor', shop.client()),
    await makeCaller('a customer', customer),
    await makeCaller('an admin', shop.admin),
  ]
})

afterAll(async () => {
  client.close()
  await shop.stop()
})

test('the description names every content type that is accepted, and the bodies that are optional', () => {
  const nameOf = ({ method, path }: ApiOperation) => `${method} ${path}`
  const isJson = ({ contentTypes }: ApiOperation) => contentTypes.every((type) => type === 'application/json')
  const others = api.operations.filter((operation) => !isJson(operation))
  expect(Object.fromEntries(others.map((operation) => [nameOf(operation), operation.contentTypes]))).toEqual({
    'POST /admin/import': ['application/json', 'application/x-ndjson', 'text/csv'],
    'POST /admin/media': ['multipart/form-data'],
  })
  const bodies = (required: boolean) => api.operations.filter((one) => one.bodyRequired === required).map(nameOf)
  expect(bodies(false)).toEqual(expect.arrayContaining(['POST /carts', 'POST /carts/{id}/checkout']))
  expect(bodies(true)).toEqual(expect.arrayContaining(['POST /admin/import', 'POST /carts/{id}/lines']))
})

test('hostile input to any documented operation gets a JSON client error without internals', async () => {
  const later = (operation: ApiOperation) =>
    endsSession(operation) || operation.path === '/admin/import' || operation.path === ROTATE_SIGNING_KEYS
  const operations = api.operations.filter((operation) => !later(operation))
  // Deletions come last, because the other operations need what they delete.
  const [removing, rest] = [true, false].map((is) => operations.filter(({ method }) => (method === 'DELETE') === is))
  await expectNoFaults([...(rest ?? []), ...(removing ?? [])].flatMap(attemptsOn))
  await expectToSell()
}, 1_200_000)

test('an import may have any content, and after each accepted one the shop still works', async () => {
  const shopper = shop.client()
  const cart = await shopper.cartWith(variantId)
  const imports = api.operations.filter((operation) => operation.path === '/admin/import')
  // Imports are applied one at a time, and a request that has waited half a minute gets an error.
  const atOnce = 2
  const afterSuccess = async () => {
    // Each path is unique, because a cached response would hide a failure.
    const once = `?once=${counter++}`
    const paths = ['/storefront', '/bootstrap', '/categories', '/collections', '/products', '/products/sample']
    return [...paths.map((path) => path + once), `/carts/${cart.id}`].map((path) => ({
      what: 'afterwards',
      method: 'GET',
      path,
      headers: { origin: ORIGIN },
    }))
  }
  await expectNoFaults(imports.flatMap(attemptsOn), { afterSuccess, atOnce })
  await waitFor('imports in the background', async () => {
    const open = await shop.sql('select 1 from catalog.import_jobs where finished_at is null')
    return open.length === 0
  })
  // A merchant can correct every setting that a merchant can make.
  const fixed = await shop.admin.post('/admin/import', { mode: 'merge', settings: SETTINGS_TO_SELL })
  expect(fixed.status).toBe(200)
  await expectToSell()
}, 1_200_000)

test('sign-out and key rotation withstand hostile input too', async () => {
  await expectNoFaults(api.operations.filter(endsSession).flatMap(attemptsOn))
  shop.admin.token = secretKey
  await expectNoFaults(api.operations.filter(({ path }) => path === ROTATE_SIGNING_KEYS).flatMap(attemptsOn))
  await expectToSell()
  await expectLedgerBalanced(shop)
})

/** Afterwards the token of the admin is no longer valid. */
function endsSession({ method, path }: ApiOperation): boolean {
  return path.endsWith('/logout') || (method === 'DELETE' && path === '/admin/console/session')
}

/** The records that sample bodies refer to. */
const SAMPLES = {
  mode: 'merge',
  categories: [{ slug: 'sample', name: 'Sample' }],
  sizeCharts: [{ id: 'sample', unit: 'cm', columns: ['Size'], rows: [['M']] }],
  products: [{ slug: 'sample', title: 'Sample', price: { amount: 100, currency: 'USD' } }],
}

const SETTINGS_TO_SELL = {
  pricing: { currency: 'USD', locale: 'en-US' },
  commerce: {
    freeShippingOver: 15_000,
    shippingMethods: [{ id: 'standard', label: 'Standard', price: { amount: 695, currency: 'USD' } }],
    countries: ['US', 'GB'],
    tax: { defaultRate: 800, rates: [], pricesIncludeTax: false, shippingTaxed: false },
  },
  checkout: { mode: 'demo', createUrl: '' },
}

/** Expects that a customer can browse, buy and pay, as before the test. */
async function expectToSell(): Promise<void> {
  const shopper = shop.client()
  expect((await shopper.products()).map((product) => product.slug)).toContain('hostile-shirt')
  const order = await shopper.buy(variantId)
  await waitForPayment(shopper, `/orders/${order.id}`)
}

async function expectNoFaults(
  attempts: Attempt[],
  { afterSuccess, atOnce = AT_ONCE }: { afterSuccess?: () => Promise<Case[]>; atOnce?: number } = {},
): Promise<void> {
  const faults: string[] = []
  const waiting = attempts.values()
  const tryOut = async (given: Case): Promise<number> => {
    const response = await client.send(given).catch((error: unknown) => String(error))
    const found = typeof response === 'string' ? [response] : faultsOf(given, response)
    if (found.length > 0) faults.push(`${describeCase(given)} → ${found.join('; ')}`)
    return typeof response === 'string' ? 0 : response.status
  }
  const work = async () => {
    for (const attempt of waiting) {
      const given = await attempt()
      const status = await tryOut(given)
      takeBack(given, status)
      if (status !== 200 || !afterSuccess) continue
      const reads = await afterSuccess()
      await Promise.all(reads.map((read) => tryOut({ ...read, what: `after ${describeCase(given)}` })))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  expect(faults.slice(0, 100)).toEqual([])
  expect(attempts.length).toBeGreaterThan(0)
}

const ErrorBody = z.object({ message: z.string().min(1), code: z.string(), requestId: z.string().min(8) })

/** Text of stack traces, queries and drivers, which no response may contain. */
const SECRETS =
  /\n\s+at |\bat \/|at [\w.<>]+ \(|node:internal|node_modules|\.ts\b|\/src\/|syntax error|violates|duplicate key|relation "|column "|\bselect\b.+\bfrom\b|ECONN|postgres/i

function faultsOf({ method, what, claimed, lacksRequiredBody, declared }: Case, response: RawResponse): string[] {
  const { status, headers, text } = response
  const faults: string[] = []
  if (status < 200 || status >= 500) faults.push(`status ${status} ${text.slice(0, 200)}`)
  // After a request with a wrong length the origin is unknown.
  const isKnown = claimed === undefined
  if (isKnown && headers['access-control-allow-origin'] !== ORIGIN) faults.push(`${status} without CORS`)
  if (isKnown && headers['access-control-allow-credentials'] !== 'true') faults.push(`${status} without credentials`)
  if (String(headers['set-cookie']).includes('taken=1')) faults.push('a header was made from input')
  if (lacksRequiredBody === true && status < 400) faults.push(`${status} without the body that the document requires`)
  if (!isKnown && status < 400) faults.push(`${status} for a request that was not as long as it claimed`)
  if (status < 400) return faults
  // A body that should be accepted must be, because otherwise the other attempts test only the validation.
  if (what.startsWith(FITTING) && (status === 400 || status === 422)) faults.push(`${status} ${text.slice(0, 1000)}`)
  if (SECRETS.test(text)) faults.push(`${status} reveals ${SECRETS.exec(text)?.[0]}: ${text.slice(0, 300)}`)
  if (typeof headers['x-request-id'] !== 'string') faults.push(`${status} without a request id`)
  if (method === 'HEAD') return faults
  if (!String(headers['content-type']).startsWith('application/json')) faults.push(`${status} is not JSON`)
  const body = ErrorBody.safeParse(parsed(text))
  if (!body.success) return [...faults, `${status} with another body: ${text.slice(0, 200)}`]
  if (!isErrorCode(body.data.code) || ERROR_STATUS[body.data.code] !== status) {
    faults.push(`${status} with code ${body.data.code}`)
  }
  // What follows a request that is longer than it claims is parsed as the next request, which has no operation.
  if (isKnown && declared !== undefined && !declared.has(body.data.code)) {
    faults.push(`${body.data.code} is not among the codes of its description`)
  }
  if (lacksRequiredBody === false && body.data.code === 'validation_failed') {
    faults.push(`${status} without a body that the document does not require`)
  }
  if (body.data.requestId !== headers['x-request-id']) faults.push(`${status} with two request ids`)
  return faults
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeCase({ what, method, path, body }: Case): string {
  const shown = body === undefined ? '' : ` ${String(body).slice(0, 160)}`
  return `${what}: ${method} ${path.slice(0, 120)}${shown}`
}

let turn = 0

/** The part of `all` that this run tries at the next place. */
function some<Value>(all: readonly Value[]): Value[] {
  const parts = Math.min(PARTS, all.length)
  const part = turn++ % parts
  return all.filter((_value, index) => index % parts === part)
}

const turns = new Map<number, number>()

/** The attempts of all callers; in a quick run only those of the next caller. */
function attemptsOf<Found>(able: readonly Caller[], attemptsBy: (caller: Caller) => Found[]): Found[] {
  // Lists of the same length take turns of their own, so that none always meets the same caller.
  const callerTurn = turns.get(able.length) ?? 0
  turns.set(able.length, callerTurn + 1)
  const next = able[callerTurn % able.length]
  return (QUICK && next !== undefined ? [next] : able).flatMap(attemptsBy)
}

/** The caller with the sign-in that an operation needs. */
const ADMITTED = { customer: 'a customer', admin: 'an admin' } as const

/** Every attempt on one operation. */
function attemptsOn(operation: ApiOperation): Attempt[] {
  // A caller without access gets no further than the access check.
  const { needs } = operation
  const isAdmitted = ({ name }: Caller) => needs === undefined || name === ADMITTED[needs]
  const admitted = callers.filter(isAdmitted)
  const others = callers.filter((caller) => !isAdmitted(caller))
  return [
    ...addressAttempts(operation, admitted),
    ...attemptsOf(admitted, (caller) => bodyAttempts(operation, caller)),
    ...admitted.flatMap((caller) => contentAttempts(operation, caller, true)),
    ...propertyAttempts(operation, admitted),
    ...attemptsOf(others, (caller) => [
      ...addressAttempts(operation, [caller], QUICK),
      ...bodyAttempts(operation, caller),
      ...contentAttempts(operation, caller, false),
    ]),
    // Most methods are handled before the caller is known.
    ...(isFirstOfPath(operation) ? attemptsOf(callers, (caller) => methodAttempts(operation, caller)) : []),
  ]
}

/** The methods of a path without a description are the same for all its operations. */
const isFirstOfPath = ({ path, method }: ApiOperation): boolean =>
  api.operations.find((one) => one.path === path)?.method === method

/** @param fewer whether to try one query parameter only */
function addressAttempts(operation: ApiOperation, able: readonly Caller[], fewer = false): Attempt[] {
  const bodyOf = async (caller: Caller) =>
    operation.body === undefined ? undefined : JSON.stringify(sample(operation, await cartInBody(operation, caller)))
  const inPath = operation.pathParameters.flatMap((name) =>
    attemptsOf(able, (caller) =>
      some(SEGMENTS).map((segment) => async () => {
        const path = await pathOf(operation, caller, { [name]: segment })
        const given = { path, body: await bodyOf(caller) }
        return { ...caseOf(operation, caller, `path ${name}`, given), declared: undefined }
      }),
    ),
  )
  const queriesOf = (name: string) =>
    some([...QUERY_VALUES.map((value) => `${name}${value}`), `${name}=1&${name}=2&${name}[]=3`])
  const parameters = fewer ? some(operation.queryParameters) : operation.queryParameters
  const places = [...parameters.map((name) => () => queriesOf(name)), () => some(UNKNOWN_PARAMETERS)]
  const inQuery = places.flatMap((queries) =>
    attemptsOf(able, (caller) =>
      queries().map((query) => async () => {
        const path = `${await pathOf(operation, caller)}?${query}`
        return caseOf(operation, caller, 'query', { path, body: await bodyOf(caller) })
      }),
    ),
  )
  const inHeader = operation.headerParameters.flatMap((name) =>
    attemptsOf(able, (caller) =>
      some(HEADER_VALUES).map((value) => async () => {
        const path = await pathOf(operation, caller)
        const given = caseOf(operation, caller, `header ${name}`, { path, body: await bodyOf(caller) })
        return { ...given, headers: { ...given.headers, [name]: value } }
      }),
    ),
  )
  return [...inPath, ...inQuery, ...inHeader]
}

const UNKNOWN_PARAMETERS: readonly string[] = [
  '__proto__[admin]=1&constructor=1&__proto__=x&toString=1',
  'unknown=1&&&=&?',
  '%00=%00',
  Array.from({ length: 1000 }, (_, index) => `p${index}=`).join('&'),
]

function methodAttempts(operation: ApiOperation, caller: Caller): Attempt[] {
  const documented = api.operations.filter((one) => one.path === operation.path).map((one) => one.method)
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !documented.includes(method))
  // HEAD runs the handler of a GET.
  const head = QUICK && !documented.includes('GET') ? [] : ['HEAD']
  return [...head, ...some(['OPTIONS', 'PURGE', 'PROPFIND', ...others])].map((method) => async () => ({
    ...caseOf(operation, caller, 'method', { path: await pathOf(operation, caller) }),
    method,
    declared: undefined,
  }))
}

function bodyAttempts(operation: ApiOperation, caller: Caller): Attempt[] {
  const nothing = async () => ({
    ...caseOf(operation, caller, 'no body', { path: await pathOf(operation, caller) }),
    lacksRequiredBody: operation.bodyRequired,
  })
  if (operation.method === 'GET') return [nothing]
  const bodies = some([...BODIES, { name: '2 MiB', type: 'application/json', body: TWO_MEBIBYTES }])
  return [
    nothing,
    ...bodies.map(({ name, type, body }) => async () => {
      const path = await pathOf(operation, caller)
      return caseOf(operation, caller, name, { path, body, type })
    }),
  ]
}

/** Bodies that are not JSON are parsed by line or by part, and can be wrong in other ways. */
function contentAttempts(operation: ApiOperation, caller: Caller, admitted: boolean): Attempt[] {
  return operation.contentTypes.flatMap((contentType) => {
    if (contentType === 'application/json') return []
    const bodies = BODIES_OF[contentType]
    if (!bodies) throw new Error(`there are no hostile bodies of the type ${contentType}`)
    const attempt =
      (what: string, { type, body, query = {}, claimed }: HostileBody) =>
      async () => {
        const path = `${await pathOf(operation, caller)}?${new URLSearchParams(query).toString()}`
        return { ...caseOf(operation, caller, what, { path, body, type }), claimed }
      }
    const fitting = attempt(FITTING, bodies.fitting)
    return admitted ? [fitting, ...some(bodies.hostile).map((one) => attempt(one.name, one))] : [fitting]
  })
}

function propertyAttempts(operation: ApiOperation, admitted: readonly Caller[]): Attempt[] {
  if (operation.body === undefined) return []
  const attempt = (caller: Caller, what: string, bodyOf: (body: unknown) => string) => async () => {
    const path = await pathOf(operation, caller)
    const body = bodyOf(sample(operation, await cartInBody(operation, caller)))
    return caseOf(operation, caller, what, { path, body, type: 'application/json' })
  }
  const whole = sample(operation)
  // Of an import, which has four hundred places, a quick run tries every third, with only the kind of rows in which it
  // is.
  const isCut = QUICK && operation.path === '/admin/import'
  const paths = pathsIn(whole).filter((_path, index) => !isCut || index % 3 === 0)
  const around = (body: unknown, [kind]: ValuePath) => (isCut ? onlyKind(body, String(kind)) : body)
  const kinds = isCut ? Object.keys(Object(whole)) : []
  const thorough = operation.path !== SAME_CHECKOUT && paths.length < 30
  // Validation does not depend on the caller, so only one caller tries all values.
  const valuesFor = (caller: Caller) => (thorough && (QUICK || caller === admitted[0]) ? VALUES : FEW_VALUES)
  const hostile = paths.flatMap((at) =>
    attemptsOf(admitted, (caller) =>
      some(valuesFor(caller)).map((text) =>
        attempt(caller, at.join('.'), (body) => textWith(around(body, at), at, text)),
      ),
    ),
  )
  if (NEED_A_SECRET.has(operation.path)) return hostile
  const fitting = admitted.flatMap((caller) => [
    attempt(caller, FITTING, (body) => JSON.stringify(body)),
    ...kinds.map((kind) => attempt(caller, `${FITTING} of ${kind}`, (body) => JSON.stringify(around(body, [kind])))),
  ])
  return [...fitting, ...hostile]
}

/** An import of one kind of rows. */
function onlyKind(body: unknown, kind: string): unknown {
  return Object.fromEntries(Object.entries(Object(body)).filter(([name]) => name === kind || name === 'mode'))
}

function caseOf(
  { method, errors }: ApiOperation,
  { name, client }: Caller,
  what: string,
  given: { path: string; body?: string | Buffer | undefined; type?: string | undefined },
): Case {
  const type = 'type' in given ? given.type : given.body === undefined ? undefined : 'application/json'
  return {
    what: `${what} as ${name}`,
    declared: errors,
    method,
    path: given.path,
    headers: {
      origin: ORIGIN,
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(client.token === undefined ? {} : { authorization: `Bearer ${client.token}` }),
    },
    body: given.body,
  }
}

let counter = 0

/**
 * A body that would be accepted, so that its one wrong value is what is tested.
 * @param cartId for a body that names a cart
 */
function sample(operation: ApiOperation, cartId?: string): unknown {
  if (operation.body === undefined) return undefined
  const meanings: Record<string, unknown> = {
    // A new address each time, because a second registration is rejected before it reaches the database.
    email: `hostile-${counter++}@hostile.example`,
    password: 'correct horse battery',
    newPassword: 'correct horse battery, again',
    variant_id: variantId,
    cart_id: cartId,
    success_url: 'http://localhost:5173/thanks?order={ORDER_ID}',
    cancel_url: 'http://localhost:5173/bag',
    provider: 'demo',
    publicKey: 'rzp_test_8Wdq2xkPz0Vb3n',
    transport: 'smtp',
    shipping_method: 'standard',
    country: 'GB',
    region: 'Scotland',
    currency: 'USD',
    url: 'https://pictures.example/shirt.svg',
    mode: 'merge',
    createdAt: '2026-01-02T03:04:05.678Z',
    startsAt: '2026-01-02T03:04:05.678Z',
    publishAt: '2026-01-02T03:04:05.678Z',
    unpublishAt: '2126-01-02T03:04:05.678Z',
    endsAt: '2026-03-04T05:06:07+08:00',
    expiresAt: new Date(Date.now() + 24 * 3600 * 1000).toISOString(),
    parent: null,
    // Of a review that is published, as a sample is.
    hidden: false,
    locale: 'en-US',
    timeZone: 'UTC',
    holidays: ['2026-12-25'],
    strategy: 'automatic',
    sort: 'featured',
    to: 'ada@hostile.example',
    event: 'orderPlaced',
    currencies: ['USD'],
    countries: ['GB'],
    types: ['settings.updated'],
    overlapHours: 24,
    storefrontWebhookSecret: `whsec_${Buffer.alloc(32).toString('base64')}`,
  }
  // The shape depends on the path, and the description does not cover that.
  if (operation.path === '/admin/library/{kind}') return { icon: 'leaf', title: 'sample', body: 'sample' }
  if (operation.path === '/admin/webhooks/deliveries/replay') {
    const span = { from: '2026-01-02T03:04:05.678Z', to: '2026-01-03T03:04:05.678Z' }
    return { ...span, endpointId: 'whe_storefront', types: ['order.paid'], statuses: ['dead'] }
  }
  // These operations require the current password; where a body would change the password, a wrong one is sent.
  if (/^\/admin\/(users|api-keys|credentials)/.test(operation.path)) {
    meanings['currentPassword'] = shop.shop.adminPassword
  }
  // This operation has the address in another field.
  if (['/admin/auth/login', '/admin/console/session'].includes(operation.path)) meanings['username'] = meanings['email']
  if (operation.path.endsWith('/discount')) meanings['code'] = CODE_FOR_CARTS
  if (operation.path === '/admin/discounts') meanings['code'] = `HOSTILE-${counter++}`
  if (operation.path === '/admin/discounts/{code}') meanings['code'] = CODE_TO_CHANGE
  if (operation.path === '/admin/import') {
    const sender = 'Shop <shop@example.com>'
    Object.assign(meanings, {
      code: CODE_TO_IMPORT,
      from: sender,
      replyTo: sender,
      host: 'mail.example.com',
      templates: {},
    })
  }
  if (operation.path.startsWith('/admin/orders')) Object.assign(meanings, meaningsOfOrders(operation))
  const body = sampleOf(api, operation.body, (name) => meanings[name])
  // The mode of a checkout differs from that of an import.
  if (operation.path !== '/admin/import') return body
  return JSON.parse(JSON.stringify(body).replace('"checkout":{"mode":"merge"', '"checkout":{"mode":"demo"'))
}

/** Values for order operations, with a key and a payment reference that are never repeated. */
function meaningsOfOrders({ path }: ApiOperation): Record<string, unknown> {
  const once = `hostile-${counter++}`
  if (path === '/admin/orders') return { status: 'captured', reference: once, idempotency_key: once }
  if (path.endsWith('/refunds')) return { amount: 1, reference: once }
  return { status: 'fulfilled', attention: null, payment: { status: 'captured' } }
}

/** A full cart for a body that names one, because a cart that was bought returns its order, whatever the body. */
async function cartInBody({ path }: ApiOperation, { name, client }: Caller): Promise<string | undefined> {
  const isRead = path === SAME_CHECKOUT || (path === '/admin/orders' && name === 'an admin')
  return isRead ? lendCart(name, client) : undefined
}

/** The ids of what rejected requests have left unchanged, by kind. */
const spare = new Map<string, string[]>()
/** The kind of each record that a request uses now, by its id. */
const lent = new Map<string, string>()

/** What only one request may use, because it may change it: one that is left, or a new one. */
async function lend(kind: string, make: () => Promise<string>): Promise<string> {
  const id = spare.get(kind)?.pop() ?? (await make())
  lent.set(id, kind)
  return id
}

const lendCart = (name: string, client: TestClient) => lend(`cart of ${name}`, async () => (await fullCart(client)).id)

/** A request with one of these statuses was rejected before it changed anything. */
const WRONG_REQUEST = new Set([400, 413, 414, 415, 422])

/** What a rejected request used is unchanged, and the next request may use it. */
function takeBack({ path, body }: Case, status: number): void {
  for (const [id, kind] of lent) {
    if (!path.includes(id) && !(typeof body === 'string' && body.includes(id))) continue
    lent.delete(id)
    if (WRONG_REQUEST.has(status)) spare.set(kind, [...(spare.get(kind) ?? []), id])
  }
}

async function fullCart(client: TestClient): Promise<Cart> {
  const cart = Cart.parse(await bodyOfReply(client, '/carts', { fresh: true }))
  const filled = Cart.parse(await bodyOfReply(client, `/carts/${cart.id}/lines`, { variant_id: variantId }))
  lineOfCart.set(filled.id, filled.lines[0]?.id ?? '')
  return filled
}

/** On a busy machine a reply between the services may take too long: such a request is sent again. */
async function bodyOfReply(client: TestClient, path: string, body: unknown): Promise<unknown> {
  return (await retryUntilAvailable(() => client.post(path, body))).response.body
}

const lineOfCart = new Map<string, string>()

const changesOrder = ({ method, path }: ApiOperation, { name }: Caller) =>
  method !== 'GET' && path.startsWith('/admin/orders/') && name === 'an admin'

/** A new paid order, because a request may cancel or refund it. */
async function paidOrder(): Promise<string> {
  const { id: cartId } = await fullCart(shop.client())
  const payment = { provider: 'demo', status: 'captured', reference: `hostile-${counter++}` }
  const placed = { cart_id: cartId, email: 'ada@hostile.example', payment }
  const order = Order.parse(await bodyOfReply(shop.admin, '/admin/orders', placed))
  expect(order.status).toBe('paid')
  return order.id
}

/** The path of an existing resource, with `replaced` in place of its parameters. */
async function pathOf(operation: ApiOperation, caller: Caller, replaced: Record<string, string> = {}): Promise<string> {
  if (operation.path === '/me/addresses') await makeRoomFor(caller)
  if (operation.path === '/admin/webhooks') await makeRoomForEndpoint()
  const real = operation.path.startsWith('/carts/') ? await cartParameters(operation, caller, replaced) : undefined
  const changed = replaced['id'] === undefined && changesOrder(operation, caller)
  const orderId = changed ? await lend('paid order', paidOrder) : caller.orderId
  const valueOf = (name: string): string => {
    if (replaced[name] !== undefined) return replaced[name]
    if (real) return real[name] ?? 'none'
    if (operation.path.startsWith('/products/')) return 'hostile-shirt'
    if (/^\/(admin\/)?orders\//.test(operation.path)) return orderId
    if (operation.path.startsWith('/me/addresses/')) return caller.addressId
    if (operation.path.startsWith('/admin/webhooks/{id}')) return endpointId
    if (operation.path.startsWith('/admin/discounts/')) return CODE_TO_CHANGE
    return name === 'kind' ? 'features' : 'none'
  }
  return operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => valueOf(name))
}

let room = Promise.resolve<unknown>(undefined)

/** Deletes addresses, because a full address book rejects new ones before they reach the database. */
async function makeRoomFor({ addressId }: Caller): Promise<void> {
  room = room.then(() => shop.sql('delete from identity.addresses where id <> $1', [addressId]))
  await room
}

/** Deletes endpoints, because fifty are allowed, and every event would be delivered to each of them. */
async function makeRoomForEndpoint(): Promise<void> {
  await shop.sql(
    `update notifier.endpoints set deleted_at = now(), enabled = false
     where deleted_at is null and id not in ('whe_storefront', $1)`,
    [endpointId],
  )
}

const carts = new Map<string, string>()

async function cartParameters(
  { path, method }: ApiOperation,
  { name, client }: Caller,
  replaced: Record<string, string>,
): Promise<Record<string, string>> {
  if (replaced['id'] !== undefined) return {}
  const key = `${method} ${path} ${name}`
  // Other operations may use up the cart or the line.
  const keepsCart = method === 'GET' || path.endsWith('/lines')
  const id = keepsCart ? (carts.get(key) ?? (await fullCart(client)).id) : await lendCart(name, client)
  carts.set(key, id)
  return { id, lineId: lineOfCart.get(id) ?? '' }
}
