import { afterEach, describe, expect, test } from 'vitest'
import { waitFor } from '@storefront/chassis/testing'
import { copiesBehind, type Copies, type Resolve, type Watch } from './copies.ts'

const ONE = 'http://10.0.0.1:8080'
const TWO = 'http://10.0.0.2:8080'
const THREE = 'http://10.0.0.3:8080'
const opened: Copies[] = []
/** What a watched replica reports. */
const says = new Map<string, (takesRequests: boolean) => void>()
const watch: Watch = (origin, heard) => {
  says.set(origin, heard)
  return () => says.delete(origin)
}

afterEach(() => {
  for (const copies of opened.splice(0)) copies.stop()
  expect([...says.keys()]).toEqual([])
})

function open(addresses: string[], resolve?: Resolve): Copies {
  const copies = copiesBehind(addresses, watch, resolve)
  opened.push(copies)
  return copies
}

const chosen = (copies: Copies, times: number) => Array.from({ length: times }, () => copies.choose([])).toSorted()

describe('requests are distributed', () => {
  test('in turn over idle replicas', () => {
    expect(chosen(open([ONE, TWO, THREE]), 6)).toEqual([ONE, ONE, TWO, TWO, THREE, THREE])
  })

  test('to the replica with the fewest running requests', () => {
    const copies = open([ONE, TWO])
    const leave = copies.enter(ONE)
    expect(chosen(copies, 3)).toEqual([TWO, TWO, TWO])
    leave()
    expect(chosen(copies, 2)).toEqual([ONE, TWO])
  })

  test('past a replica that failed, and past one that was tried', () => {
    const copies = open([ONE, TWO, THREE])
    copies.leaveOut(ONE)
    expect(chosen(copies, 4)).toEqual([TWO, TWO, THREE, THREE])
    expect(copies.choose([TWO])).toBe(THREE)
    expect(copies.choose([TWO, THREE])).toBe(ONE)
    expect(copies.hasOther([ONE, TWO, THREE])).toBe(false)
  })

  test('past a replica that reports that it is about to stop, until it is ready again', () => {
    const copies = open([ONE, TWO])
    says.get(ONE)?.(false)
    expect(chosen(copies, 3)).toEqual([TWO, TWO, TWO])
    copies.leaveOut(ONE)
    says.get(ONE)?.(true)
    expect(chosen(copies, 2)).toEqual([ONE, TWO])
  })

  test('over all of them when all are down', () => {
    const copies = open([ONE, TWO])
    for (const origin of [ONE, TWO]) says.get(origin)?.(false)
    expect(chosen(copies, 2)).toEqual([ONE, TWO])
  })

  test('over all of them when all failed', () => {
    const copies = open([ONE, TWO])
    copies.leaveOut(ONE)
    copies.leaveOut(TWO)
    expect(chosen(copies, 2)).toEqual([ONE, TWO])
  })
})

describe('a host name', () => {
  test('stands for all its addresses, and for their changes', async () => {
    let addresses = ['10.0.0.1', '10.0.0.2', 'fd00::1']
    const copies = open(['http://cart:8080'], () => Promise.resolve(addresses))
    expect(copies.choose([])).toBe('http://cart:8080')
    await waitFor('the first addresses', () => copies.choose([]) !== 'http://cart:8080')
    expect(chosen(copies, 3)).toEqual([ONE, TWO, 'http://[fd00::1]:8080'])
    addresses = ['10.0.0.3']
    await waitFor('the new address', () => copies.choose([]) === THREE)
    expect([...says.keys()]).toEqual([THREE])
    expect(chosen(copies, 2)).toEqual([THREE, THREE])
  })

  test('keeps its last addresses while it cannot be resolved', async () => {
    let asked = 0
    const copies = open(['http://cart:8080'], () => {
      asked++
      return asked === 1 ? Promise.resolve(['10.0.0.1']) : Promise.reject(new Error('no answer'))
    })
    await waitFor('a failed look-up', () => asked > 2)
    expect(copies.choose([])).toBe(ONE)
  })
})
