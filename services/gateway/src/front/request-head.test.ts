import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { MAX_ADDRESS_BYTES, MAX_HEADERS_BYTES } from '@storefront/http'
import { headError, limitHeadMemory, MAX_PATH_LENGTH, namesItsHost } from './request-head.ts'

function statusFor(url: string, headers = 100): number | undefined {
  return headError({ address: url.length, headers }, url, url.split('?', 1)[0] ?? '')?.status
}

test('9,000 characters of any script are not too long, because the limit counts characters and not bytes', () => {
  for (const character of ['a', 'é', 'न', '日', '😀']) {
    expect(statusFor(`/products?q=${encodeURIComponent(character).repeat(9000)}`)).toBeUndefined()
  }
  const prefix = '/products?q='
  expect(statusFor(prefix + 'a'.repeat(MAX_ADDRESS_BYTES - prefix.length))).toBeUndefined()
  expect(statusFor(prefix + 'a'.repeat(MAX_ADDRESS_BYTES - prefix.length + 1))).toBe(414)
})

test('a path, the number of parameters and the headers have separate limits', () => {
  expect(statusFor(`/${'a'.repeat(MAX_PATH_LENGTH - 1)}?q=1`)).toBeUndefined()
  expect(statusFor(`/${'a'.repeat(MAX_PATH_LENGTH)}?q=1`)).toBe(414)
  expect(statusFor(`/products?a${'&a'.repeat(999)}`)).toBeUndefined()
  expect(statusFor(`/products?a${'&a'.repeat(1000)}`)).toBe(414)
  expect(statusFor('/products', MAX_HEADERS_BYTES)).toBeUndefined()
  expect(statusFor('/products', MAX_HEADERS_BYTES + 1)).toBe(431)
})

test('a request names one host; a health check in HTTP/1.0 may name none', () => {
  const named = (httpVersion: string, ...hosts: string[]) =>
    namesItsHost({ httpVersion, rawHeaders: ['accept', 'host', ...hosts.flatMap((host) => ['Host', host])] })
  expect([named('1.1', 'x'), named('1.0', 'x'), named('1.0')]).toEqual([true, true, true])
  expect([named('1.1'), named('1.1', 'x', 'x'), named('1.0', 'x', 'y')]).toEqual([false, false, false])
})

test('large heads share limited memory, which responses release and ordinary ones never need', () => {
  const reserve = limitHeadMemory()
  const open: ServerResponse[] = []
  const take = (address: number) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    open.push(response)
    return reserve({ address, headers: 0 }, response)
  }
  // 83 heads of this size fit into the 8 MiB, and 167 into twice as much.
  const outcomes = Array.from({ length: 200 }, () => take(100_000))
  expect(outcomes.filter((outcome) => outcome === 'proceed')).toHaveLength(83)
  expect(outcomes.filter((outcome) => outcome === 'reject')).toHaveLength(84)
  expect(outcomes.slice(167)).toEqual(Array.from({ length: 33 }, () => 'cut off'))
  expect(take(9012)).toBe('proceed')
  for (const response of open) response.emit('close')
  expect(take(100_000)).toBe('proceed')
})
