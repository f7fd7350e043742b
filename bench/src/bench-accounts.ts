import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { z } from 'zod'
import { openGround } from './ground.ts'
import { loadPaths } from './http-load.ts'
import { describeMachine } from './machine.ts'
import type { Measurement } from './measure.ts'
import type { Rounds } from './rounds.ts'
import type { Ground } from './scenarios.ts'
import { markdownTable } from './table.ts'

/** Sent by identity, the same for every client, and cached nowhere: only the token differs. */
const SAME_FOR_ALL = '/.well-known/jwks.json'
const SIGN_INS_PER_SECOND = 16
const BROWSERS = 16
const PASSWORD = 'correct horse battery'
const ACCOUNTS = 8

const SignedIn = z.object({ token: z.string() })

/** Measures what tokens and passwords cost those who browse. */
export async function benchAccounts({ seconds, rounds }: Rounds): Promise<void> {
  const lines: string[][] = []
  for (const edgeCache of [true, false]) {
    console.error(`Starting a shop ${edgeCache ? 'with' : 'without'} the edge cache.`)
    const opened = await openGround({ edgeCache })
    try {
      const accounts = await openAccounts(opened.ground)
      if (edgeCache) lines.push(...(await tokenRows(opened.ground, accounts, seconds * rounds)))
      for (let round = 1; round <= rounds; round++) {
        lines.push(...(await signInRows(opened.ground, accounts, { seconds, round, edgeCache })))
      }
    } finally {
      await opened.close()
    }
  }
  console.log(describeMachine())
  console.log(markdownTable(['what', 'measured', 'p50 ms', 'p99 ms', 'failures'], lines))
}

interface Account {
  email: string
  token: string
}

async function openAccounts({ shop }: Ground): Promise<Account[]> {
  const emails = Array.from({ length: ACCOUNTS }, (_, index) => `bench${index}@mail.example`)
  return Promise.all(
    emails.map(async (email) => {
      const { body } = await post(shop.url, '/auth/register', { email, password: PASSWORD })
      return { email, token: SignedIn.parse(body).token }
    }),
  )
}

async function post(url: string, path: string, body: object): Promise<{ status: number; body: unknown }> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

/** The same request alternately with and without a token, so that other load of the machine affects both. */
async function tokenRows({ shop }: Ground, accounts: readonly Account[], seconds: number): Promise<string[][]> {
  const rows: string[][] = []
  for (const callers of [1, 8]) {
    const pool = new Pool(shop.url, { connections: callers, pipelining: 1 })
    const times = { without: createHistogram(), with: createHistogram() }
    const send = async (histogram: RecordableHistogram, headers: Record<string, string>): Promise<void> => {
      const began = process.hrtime.bigint()
      const { statusCode, body } = await pool.request({ method: 'GET', path: SAME_FOR_ALL, headers })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${SAME_FOR_ALL} responded with ${statusCode}`)
      histogram.record(process.hrtime.bigint() - began || 1n)
    }
    const endMs = performance.now() + (seconds * 1000) / 2
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        const authorization = `Bearer ${accounts[caller]?.token ?? ''}`
        for (let turn = 0; performance.now() < endMs; turn++) {
          const both = [() => send(times.without, {}), () => send(times.with, { authorization })]
          for (const one of turn % 2 === 0 ? both : both.toReversed()) await one()
        }
      }),
    )
    await pool.close()
    const added = (times.with.percentile(50) - times.without.percentile(50)) / 1e6
    rows.push(
      rowOf(`a request without a token, ${callers} at once`, `${times.without.count} requests`, times.without, 0),
      rowOf(`the same with a token, which adds ${added.toFixed(3)} ms`, `${times.with.count} requests`, times.with, 0),
    )
  }
  return rows
}

/** Browsing as fast as responses arrive, alone and while people sign in at a steady rate. */
async function signInRows(
  { shop, slugs }: Ground,
  accounts: readonly Account[],
  { seconds, round, edgeCache }: { seconds: number; round: number; edgeCache: boolean },
): Promise<string[][]> {
  const paths = ['/products', '/products?sort=newest', ...slugs.slice(0, 8).map((slug) => `/products/${slug}`)]
  const browse = (): Promise<Measurement> => loadPaths(shop.url, paths, { connections: BROWSERS, seconds })
  await browse()
  const alone = await browse()
  const [during, signIns] = await Promise.all([browse(), signInSteadily(shop.url, accounts, seconds)])
  const where = edgeCache ? 'from the edge cache' : 'without the edge cache'
  const rate = ({ perSecond }: Measurement) => `${Math.round(perSecond).toLocaleString('en-US')}/s`
  const row = (what: string, measured: Measurement): string[] => [
    `${what}, round ${round}`,
    rate(measured),
    measured.p50Ms.toFixed(1),
    measured.p99Ms.toFixed(1),
    String(measured.failures),
  ]
  return [
    row(`browsing ${where}, without sign-ins`, alone),
    row(`browsing ${where}, ${SIGN_INS_PER_SECOND} sign-ins a second`, during),
    rowOf(
      `those sign-ins, round ${round}`,
      `${(signIns.times.count / seconds).toFixed(1)}/s`,
      signIns.times,
      signIns.failures,
    ),
  ]
}

/** Signs in at a fixed rate, whether or not earlier sign-ins have a response, as people do. */
async function signInSteadily(url: string, accounts: readonly Account[], seconds: number) {
  const times = createHistogram()
  let failures = 0
  const underWay: Promise<void>[] = []
  const total = SIGN_INS_PER_SECOND * seconds
  const startMs = performance.now()
  for (let index = 0; index < total; index++) {
    const dueMs = startMs + (index * 1000) / SIGN_INS_PER_SECOND
    await sleep(Math.max(0, dueMs - performance.now()))
    const email = accounts[index % accounts.length]?.email ?? ''
    const signIn = async (): Promise<void> => {
      const { status } = await post(url, '/auth/login', { email, password: PASSWORD })
      if (status === 200) times.record(BigInt(Math.round((performance.now() - dueMs) * 1e6)) || 1n)
      else failures++
    }
    underWay.push(signIn())
  }
  await Promise.all(underWay)
  return { times, failures }
}

function rowOf(what: string, measured: string, times: RecordableHistogram, failures: number): string[] {
  return [
    what,
    measured,
    (times.percentile(50) / 1e6).toFixed(2),
    (times.percentile(99) / 1e6).toFixed(2),
    String(failures),
  ]
}
