import { expect, test } from 'vitest'
import { pageClosings } from './page-closings.ts'

test('the end waits for pages that are being closed, and for those that begin meanwhile', async () => {
  const closings = pageClosings()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  closings.add(first.promise)
  let hasStopped = false
  const stopped = closings.stop().then(() => {
    hasStopped = true
  })
  closings.add(second.promise)
  first.resolve()
  await first.promise
  expect(hasStopped).toBe(false)
  second.resolve()
  await stopped
  expect(hasStopped).toBe(true)
})
