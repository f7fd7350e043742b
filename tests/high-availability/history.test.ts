import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '@storefront/tools/testing'
import { classifyError, classifyResponse, classifyUnreadable } from './classify-outcome.ts'
import { checkHistory } from './check-history.ts'
import { correctRun, PURCHASES } from './correct-run.ts'
import type { ExperimentResult } from './experiment.ts'
import { faultTable, meetsTargets } from './fault-table.ts'
import { errorsSeen, longestGap } from './figures.ts'
import { openHistory, readHistory } from './history.ts'
import { VIOLATIONS } from './violation.ts'

let folder: string

beforeAll(async () => {
  folder = await temporaryFolder('storefront-history')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a history', () => {
  test('is in its file as it was recorded', async () => {
    const path = join(folder, 'history.jsonl')
    let nowMs = 0
    const history = openHistory(path, () => nowMs++)
    for (const { buyer, action, outcome, status, result } of correctRun(PURCHASES).operations) {
      history.invoke(buyer, action)({ outcome, ...(status && { status }), ...(result && { result }) })
    }
    await history.close()
    expect(await readHistory(path)).toEqual(history.operations())
    expect(history.operations().slice(0, 2)).toMatchObject([
      { id: 0, action: { kind: 'create-cart' }, invokedAtMs: 0, endedAtMs: 1, outcome: 'ok' },
      { id: 1, action: { kind: 'add-line' }, invokedAtMs: 2, endedAtMs: 3, outcome: 'ok' },
    ])
  })

  test('of a process that was killed has operations of unknown outcome, and may end within a line', async () => {
    const path = join(folder, 'killed.jsonl')
    const history = openHistory(path)
    history.invoke(0, { kind: 'create-cart' })
    await history.close()
    await appendFile(path, '{"type":"end","id":0,"at')
    expect(await readHistory(path)).toMatchObject([{ id: 0, outcome: 'unknown', endedAtMs: Infinity }])
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(2)
  })
})

describe('the outcome of an operation', () => {
  const body = (code: string) => JSON.stringify({ code, message: 'A sentence.', requestId: 'req_1' })
  const failed = (code: string, cause = {}) => Object.assign(new Error('failed'), { code, ...cause })

  test.each([
    ['ok', 'a 200', () => classifyResponse('checkout', 200, '{}')],
    ['fail', 'a rejection by the shop', () => classifyResponse('checkout', 409, body('out_of_stock'))],
    ['unknown', 'a 4xx of a proxy', () => classifyResponse('checkout', 408, '<html>Request Time-out</html>')],
    ['unknown', 'a 503 of the shop', () => classifyResponse('checkout', 503, body('service_unavailable'))],
    ['unknown', 'a 502', () => classifyResponse('add-line', 502, body('bad_gateway'))],
    ['unknown', 'a success that is cut', () => classifyUnreadable('checkout', 200)],
    ['fail', 'a read with 503', () => classifyResponse('read-order', 503, body('service_unavailable'))],
    ['fail', 'a connection that was never made', () => classifyError('checkout', failed('ECONNREFUSED'))],
    [
      'fail',
      'a connection that no address of a name accepted',
      () => classifyError('checkout', new AggregateError([failed('ECONNREFUSED')])),
    ],
    ['unknown', 'a connection that broke', () => classifyError('checkout', failed('ECONNRESET'))],
    ['unknown', 'a time that passed', () => classifyError('checkout', new DOMException('late', 'TimeoutError'))],
    ['fail', 'a read whose connection broke', () => classifyError('read-order', failed('UND_ERR_SOCKET'))],
  ])('is %s after %s', (outcome, _what, classify) => {
    expect(classify().outcome).toBe(outcome)
  })

  test('has the status with the code, or the kind of the error', () => {
    expect(classifyResponse('checkout', 503, body('service_unavailable'))).toEqual({
      outcome: 'unknown',
      status: 503,
      code: 'service_unavailable',
    })
    expect(classifyError('checkout', new DOMException('late', 'TimeoutError')).errorKind).toBe('timeout')
  })
})

describe('the figures of a history', () => {
  const { operations } = correctRun(['acknowledged', 'repeated', 'sold out', 'unknown without order', 'acknowledged'])
  const checkouts = operations.filter(({ action }) => action.kind === 'checkout')
  const ends = checkouts.filter(({ outcome }) => outcome === 'ok').map(({ endedAtMs }) => endedAtMs)

  test('have the longest time without a successful checkout, up to the ends of the window', () => {
    const [first = 0, second = 0, third = 0] = ends
    expect(longestGap(operations, 0, third + 1)).toEqual({ lengthMs: third - second, fromMs: second })
    expect(longestGap(operations, 0, third + 1000)).toEqual({ lengthMs: 1000, fromMs: third })
    expect(longestGap(operations, -1000, second)).toEqual({ lengthMs: first + 1000, fromMs: -1000 })
    expect(longestGap([], 100, 400)).toEqual({ lengthMs: 300, fromMs: 100 })
  })

  test('count the operations that failed, by action and cause', () => {
    expect(errorsSeen(operations, 0, Infinity)).toEqual({
      'checkout: 503 service_unavailable': 1,
      'checkout: 409 out_of_stock': 1,
      'checkout: timeout': 1,
    })
    expect(errorsSeen(operations, 0, 1)).toEqual({})
  })
})

describe('a run with faults', () => {
  const { operations, before, after } = correctRun(['acknowledged'])
  const fault = { name: 'NATS leader killed', targetSeconds: 3, begin: async () => async () => {} }
  const window = { fault, fromMs: 0, toMs: 2000, missing: [] }
  const checked = checkHistory(operations, before, after)
  const good: ExperimentResult = {
    ...checked,
    operations,
    windows: [window],
    turnedAway: 0,
    soldOut: 1,
    unfinished: [],
  }

  test('succeeds when each fault stayed within its target and nothing was found', () => {
    expect(meetsTargets(good)).toBe(true)
  })

  test('has a table with the operation of each error, and one with every kind of violation', () => {
    const { operations, before, after } = correctRun(['repeated', 'page'])
    const lines = faultTable({ ...good, ...checkHistory(operations, before, after), operations }).split('\n')
    const [, , faultRow] = lines
    expect(faultRow).toMatch(/^\| NATS leader killed \| 1 \| .+ \| 1 × checkout: 503 service_unavailable \|$/)
    const counted = lines.filter((line) => VIOLATIONS.some((kind) => line.startsWith(`| ${kind} | 0 | `)))
    expect(counted).toHaveLength(VIOLATIONS.length)
    expect(counted).toContain('| units oversold | 0 | 6 units sold |')
  })

  test.each<[string, Partial<ExperimentResult>]>([
    ['something was lost', { violations: [{ kind: 'order lost', subject: 'order_1', message: 'It is missing.' }] }],
    ['a fault took longer than its target', { windows: [{ ...window, toMs: 5000 }] }],
    ['an engine lacks a replica afterwards', { windows: [{ ...window, missing: ['Redis has 1 replicas'] }] }],
    ['units stay reserved', { unfinished: ['2 units reserved of var_shirt'] }],
    ['no fault was possible', { windows: [] }],
    ['fewer buyers came than the rate says', { turnedAway: 1 }],
  ])('fails when %s', (_what, difference) => {
    expect(meetsTargets({ ...good, ...difference })).toBe(false)
  })
})
