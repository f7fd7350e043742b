import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { PORTS, startCluster, type RunningCluster } from '@storefront/tools/high-availability'
import { builtProgram, packageCache, temporaryFolder, waitFor } from '@storefront/tools/testing'

const Findings = z.array(z.object({ check: z.string(), state: z.string(), found: z.string() }))
const LIMIT_MS = 180_000

let doctor: string
let cluster: RunningCluster

beforeAll(async () => {
  doctor = await builtProgram('tools/src/doctor/main.ts')
  const dataDir = join(await temporaryFolder('storefront-doctor-of-machines'), 'shop')
  cluster = await startCluster({ env: {}, dataDir, cacheDir: packageCache(), print: () => {} })
})

afterAll(() => cluster?.stop())

/** What the doctor finds with nothing but the data folder of the cluster. */
async function examine() {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: cluster.dataDir }
  const stdout = await promisify(execFile)(process.execPath, [doctor, '--json'], { env }).then(
    (ended) => ended.stdout,
    // It exits with 1 when there is a fault.
    (error: { stdout: string }) => error.stdout,
  )
  return Findings.parse(JSON.parse(stdout))
}

const faults = async () => (await examine()).filter(({ state }) => state === 'fault')

test('the doctor shows who leads by Patroni, and which Patroni and etcd are lost with a machine', async () => {
  await waitFor('no fault', async () => (await faults()).length === 0, LIMIT_MS)
  const whole = await examine()
  expect(whole).toContainEqual({ check: 'Patroni', state: 'ok', found: '3 of 3 respond' })
  expect(whole).toContainEqual({ check: 'etcd', state: 'ok', found: '3 members, all healthy' })
  expect(whole.find(({ check }) => check === 'Patroni leader')).toMatchObject({
    found: expect.stringMatching(/^machine-\d, followed by machine-\d \(\w+, .+\), machine-\d \(\w+, .+\)$/),
  })
  // The doctor reaches PostgreSQL by the proxy of the first machine.
  const lost = cluster.machines['machine-3']
  await lost.lose()
  const expected = [
    { check: 'Patroni', state: 'warn', found: `2 of 3 respond, not ${lost.address}:${PORTS.patroni}` },
    { check: 'etcd', state: 'fault', found: `1 of 3 members are away: ${lost.address}:${PORTS.etcd}` },
    { check: 'PostgreSQL standbys', state: 'fault', found: '1 of 2 connected' },
  ]
  const isFound = (findings: z.output<typeof Findings>) =>
    expected.every(({ check, found }) => findings.some((one) => one.check === check && one.found === found))
  const findings = await waitFor('what is lost', async () => [await examine()].find(isFound), LIMIT_MS)
  expect(findings).toEqual(expect.arrayContaining(expected))
  await lost.start()
  await waitFor('no fault again', async () => (await faults()).length === 0, LIMIT_MS)
  expect(await faults()).toEqual([])
})
