import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createBuyerHasher } from './buyer-hash.ts'

const KEY = 'the key of buyers in tests'
const hasher = createBuyerHasher(KEY)
const hashOf = (email: string) => hasher.keysOf(email)?.hashes[0].toString('hex')

test('all spellings of a mailbox have the same hash, and another mailbox has a different one', () => {
  const spellings = ['ada@shop.example', ' ADA@Shop.Example ', 'ada+codes@shop.example']
  expect(new Set(spellings.map(hashOf)).size).toBe(1)
  expect(hashOf('a.da@gmail.com')).toBe(hashOf('ada@googlemail.com'))
  expect(hashOf('ada@other.example')).not.toBe(hashOf('ada@shop.example'))
  expect(hasher.keysOf('  ')).toBeNull()
})

test('the hash of an address follows from the digest that earlier versions stored, and cannot be computed without the key', () => {
  const digest = createHash('sha256').update('ada@shop.example').digest()
  expect(hasher.ofDigest(digest).toString('hex')).toBe(hashOf('ada@shop.example'))
  expect(hasher.keysOf('ada@shop.example')?.digest).toEqual(digest)
  expect(hashOf('ada@shop.example')).not.toBe(digest.toString('hex'))
  const other = createBuyerHasher('another key of buyers').keysOf('ada@shop.example')
  expect(other?.hashes[0].toString('hex')).not.toBe(hashOf('ada@shop.example'))
})

test('hashes made with the previous key are still found after a key change', () => {
  const [before] = hasher.keysOf('ada@shop.example')?.hashes ?? []
  const after = createBuyerHasher('the next key of buyers', KEY).keysOf('ada@shop.example')
  expect(after?.hashes[1]).toEqual(before)
  expect(after?.hashes[0]).not.toEqual(before)
})
