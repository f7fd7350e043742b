import { afterEach, describe, expect, test } from 'vitest'
import { waitFor } from '@storefront/service/testing'
import { Replicas, type Watch } from './replicas.ts'

const ONE = 'http://10.0.0.1:8080'
const TWO = 'http://10.0.0.2:8080'
const THREE = 'http://10.0.0.3:8080'
const opened: Replicas[] = []
/** By replica: reports whether it accepts requests. */
const reports = new Map<string, (takesRequests: boolean) => void>()
const watch: Watch = (origin, report) => {
  reports.set(origin, report)
  return () => reports.delete(origin)
}

afterEach(() => {
  for (const replicas of opened.splice(0)) replicas.stop()
  expect([...reports.keys()]).toEqual([])
})

function open(addresses: string[], resolve?: ConstructorParameters<typeof Replicas>[2]): Replicas {
  const replicas = new Replicas(addresses, watch, resolve)
  opened.push(replicas)
  return replicas
}

const chosen = (replicas: Replicas, times: number) =>
  Array.from({ length: times }, () => replicas.choose([])).toSorted()

describe('requests are distributed', () => {
  test('in turn over idle replicas', () => {
    expect(chosen(open([ONE, TWO, THREE]), 6)).toEqual([ONE, ONE, TWO, TWO, THREE, THREE])
  })

  test('to the replica with the fewest running requests', () => {
    const replicas = open([ONE, TWO])
    const leave = replicas.enter(ONE)
    expect(chosen(replicas, 3)).toEqual([TWO, TWO, TWO])
    leave()
    expect(chosen(replicas, 2)).toEqual([ONE, TWO])
  })

  test('past a replica that failed, and past one that was tried', () => {
    const replicas = open([ONE, TWO, THREE])
    replicas.leaveOut(ONE)
    expect(chosen(replicas, 4)).toEqual([TWO, TWO, THREE, THREE])
    expect(replicas.choose([TWO])).toBe(THREE)
    expect(replicas.choose([TWO, THREE])).toBe(ONE)
    expect(replicas.hasOther([ONE, TWO, THREE])).toBe(false)
  })

  test('past a replica that reports that it is about to stop, until it is ready again', () => {
    const replicas = open([ONE, TWO])
    reports.get(ONE)?.(false)
    expect(chosen(replicas, 3)).toEqual([TWO, TWO, TWO])
    replicas.leaveOut(ONE)
    reports.get(ONE)?.(true)
    expect(chosen(replicas, 2)).toEqual([ONE, TWO])
  })

  test('over all of them when all are down', () => {
    const replicas = open([ONE, TWO])
    for (const origin of [ONE, TWO]) reports.get(origin)?.(false)
    expect(chosen(replicas, 2)).toEqual([ONE, TWO])
  })

  test('over all of them when all failed', () => {
    const replicas = open([ONE, TWO])
    replicas.leaveOut(ONE)
    replicas.leaveOut(TWO)
    expect(chosen(replicas, 2)).toEqual([ONE, TWO])
  })
})

describe('a host name', () => {
  test('resolves to all its addresses, and follows their changes', async () => {
    let addresses = ['10.0.0.1', '10.0.0.2', 'fd00::1']
    const replicas = open(['http://cart:8080'], () => Promise.resolve(addresses))
    expect(replicas.choose([])).toBe('http://cart:8080')
    await waitFor('the first addresses', () => replicas.choose([]) !== 'http://cart:8080')
    expect(chosen(replicas, 3)).toEqual([ONE, TWO, 'http://[fd00::1]:8080'])
    addresses = ['10.0.0.3']
    await waitFor('the new address', () => replicas.choose([]) === THREE)
    expect([...reports.keys()]).toEqual([THREE])
    expect(chosen(replicas, 2)).toEqual([THREE, THREE])
  })

  test('keeps its last addresses while it cannot be resolved', async () => {
    let requested = 0
    const replicas = open(['http://cart:8080'], () => {
      requested++
      return requested === 1 ? Promise.resolve(['10.0.0.1']) : Promise.reject(new Error('no response'))
    })
    await waitFor('a failed look-up', () => requested > 2)
    expect(replicas.choose([])).toBe(ONE)
  })
})
