import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createLog } from '@storefront/service'
import { waitFor } from '@storefront/tools/testing'
import { expect, test } from 'vitest'
import { watchLoad } from './load-shedding.ts'
import { TIMEOUTS } from './timeouts.ts'

test('an event loop in which every turn takes too long is overloaded, and recovers', async () => {
  const load = watchLoad(createLog({ service: 'test', level: 'silent' }), { ...TIMEOUTS, lateMs: 250 })
  const isAdmitted = () => load.takeSlot(new ServerResponse(new IncomingMessage(new Socket())))
  expect(isAdmitted()).toBe(true)
  for (let turn = 0; turn < 3; turn++) {
    // It blocks the event loop as long work does, but leaves the processor to the other tests.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    // The timers of the process run once in each turn.
    await pause(0)
  }
  expect(isAdmitted()).toBe(false)
  await waitFor('the process to recover', isAdmitted)
  await load.stop()
})
