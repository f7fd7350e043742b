import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverOfEnvironment } from './infrastructure/index.ts'
import { launch, type LaunchOptions } from './launch.ts'

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storefront-launch-'))
})

afterAll(() => rm(dataDir, { recursive: true }))

/** A launch that fails, because nothing listens at the address of its database. */
function launchWithoutDatabase(beforeServices: NonNullable<LaunchOptions['beforeServices']>): Promise<unknown> {
  const nowhere = serverOfEnvironment('postgres://shop:shop@127.0.0.1:1/postgres')
  return launch({
    env: { PORT: '0' },
    dataDir,
    inThisProcess: true,
    seed: false,
    print: () => {},
    sharedServers: {
      postgres: nowhere,
      redis: nowhere,
      nats: { ...nowhere, urlFor: () => nowhere.url },
      namespace: 'shop',
      streamMaxBytes: 1,
    },
    beforeServices,
  })
}

test('a launch that fails cancels what is built meanwhile, and waits until that has cleaned up', async () => {
  const done: string[] = []
  const launching = launchWithoutDatabase(async (signal) => {
    done.push('began')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await setImmediate()
    done.push('cleaned up')
  })
  await expect(launching).rejects.toThrow('The database could not be prepared')
  expect(done).toEqual(['began', 'cleaned up'])
})

test('a launch reports its own failure when a build has failed too', async () => {
  const launching = launchWithoutDatabase(async () => {
    throw new Error('no space left')
  })
  await expect(launching).rejects.toThrow('The database could not be prepared')
})
