import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { BodyMemory } from './body-memory.ts'

const unread = () => new ServerResponse(new IncomingMessage(new Socket()))

test('a body that many clients do not read counts once, until the last of them has disconnected', () => {
  const memory = new BodyMemory(1000)
  const body = Buffer.alloc(600)
  const [first, second, other] = [unread(), unread(), unread()]
  memory.holdUntilSent(body, first)
  memory.holdUntilSent(body, second)
  expect([memory.fits(400), memory.fits(401)]).toEqual([true, false])
  memory.holdUntilSent(Buffer.alloc(300), other)
  expect([memory.fits(100), memory.fits(101)]).toEqual([true, false])
  first.emit('close')
  expect(memory.fits(101)).toBe(false)
  second.emit('close')
  expect([memory.fits(700), memory.fits(701)]).toEqual([true, false])
  other.emit('close')
  expect(memory.fits(1000)).toBe(true)
})
