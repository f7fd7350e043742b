import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Order } from '@storefront/contracts'
import { freePort } from '@storefront/tools/infrastructure'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { codeBlocks } from '../documents/code-blocks.ts'
import type { ShellSession } from '../documents/shell-session.ts'
import { openBucket } from '../recovery/open-bucket.ts'
import { repository } from '../repository/source-files.ts'
import { printSkipped } from '../support/print-skipped.ts'
import { TestClient } from '../support/test-client.ts'
import { findEngine } from './engine.ts'

const { docker, compose, openShell, missing } = findEngine()
if (missing !== undefined) printSkipped('deploy/high-availability/compose.yml', missing)

const POSTGRES = ['postgres', 'postgres-2', 'postgres-3']
const REDIS = ['redis', 'redis-2', 'redis-3']
/** Prints the role of the Redis of a container. */
const REDIS_ROLE = 'redis-cli --no-auth-warning -a "$(cat /run/storefront/password)" role'
const Members = z.array(z.object({ Member: z.string(), Role: z.string(), State: z.string() }))
/** For a machine on which all of it takes minutes. */
const LIMIT_MS = 15 * 60_000

describe.skipIf(missing !== undefined)(
  `three of each server in containers${missing === undefined ? '' : `: NOT run. ${missing}`}`,
  () => {
    const env: Record<string, string> = {
      COMPOSE_PROJECT_NAME: `storefront-test-${randomBytes(4).toString('hex')}`,
      COMPOSE_FILE: ['docker-compose.yml', 'deploy/high-availability/compose.yml']
        .map((file) => join(repository, file))
        .join(':'),
      COMPOSE_DOCKER_CLI_BUILD: '0',
      DOCKER_BUILDKIT: '0',
    }
    let session: ShellSession
    let folder: string
    let url = ''
    const orders: Order[] = []

    const container = async (service: string): Promise<string> => {
      const [id = ''] = (await compose(['ps', '--all', '--quiet', service], env)).split('\n')
      return id
    }
    /** The members of the cluster, as the first of these servers that replies reports them. */
    const members = async (servers = POSTGRES): Promise<z.output<typeof Members>> => {
      for (const name of servers) {
        const list = ['patronictl', 'list', '--format', 'json']
        const text = await docker('exec', await container(name), ...list).catch(() => '')
        if (text !== '') return Members.parse(JSON.parse(text))
      }
      return []
    }
    const leader = async (servers = POSTGRES) =>
      (await members(servers)).find(({ Role, State }) => Role === 'Leader' && State === 'running')?.Member
    const sql = async <Row>(query: string): Promise<Row[]> => {
      const rows = `select coalesce(json_agg(r), '[]') from (${query}) r`
      const id = await container((await leader()) ?? '')
      return z.array(z.custom<Row>()).parse(JSON.parse(await docker('exec', id, 'psql', '-d', 'shop', '-tAc', rows)))
    }
    const primaryOfRedis = async (servers: string[]): Promise<string | undefined> => {
      for (const name of servers) {
        const role = await docker('exec', await container(name), 'sh', '-c', REDIS_ROLE).catch(() => '')
        if (role.startsWith('master')) return name
      }
      return undefined
    }
    const buy = async (): Promise<void> => {
      const order = await waitFor(
        'a purchase',
        async () => {
          const client = new TestClient(url)
          const variants = (await client.products()).flatMap((product) => product.variants)
          return client.buy(variants.find(({ inventory }) => inventory > 5)?.id ?? '')
        },
        LIMIT_MS,
      )
      orders.push(order)
    }
    const expectNothingLost = async (): Promise<void> => {
      const ids = orders.map(({ id }) => `'${id}'`).join(', ')
      const stored = await sql<{ id: string }>(`select id from orders.orders where id in (${ids})`)
      expect(orders.filter(({ id }) => !stored.some((row) => row.id === id))).toEqual([])
      await expectLedgerBalanced({ sql })
    }

    const addComposeFile = async (path: string): Promise<void> => {
      env['COMPOSE_FILE'] = `${env['COMPOSE_FILE']}:${path}`
      await session.run(`export COMPOSE_FILE='${env['COMPOSE_FILE']}'`)
    }
    const containers = async () => (await compose(['ps', '--quiet'], env)).split('\n').filter((id) => id !== '')

    /** @param place a folder of its own by default, because some commands write files */
    const runBlocks = async (info: string, place = folder): Promise<void> => {
      await session.run(`cd '${place}'`)
      for (const { text } of codeBlocks('docs/operations.md', info)) await session.run(`{\n${text}\n} </dev/null`)
      await session.run(`cd '${repository}'`)
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'storefront-move-'))
      const ports = ['PORT', 'STOREFRONT_PORT', 'MAIL_PORT', 'PROMETHEUS_PORT', 'JAEGER_PORT']
      for (const name of ports) env[name] = String(await freePort())
      url = `http://127.0.0.1:${env['PORT']}`
      Object.assign(env, { PUBLIC_URL: url, STOREFRONT_URL: `http://127.0.0.1:${env['STOREFRONT_PORT']}` })
      env['PGBACKREST_FILE'] = join(folder, 'pgbackrest.conf')
      for (const limit of ['GENERAL', 'CHECKOUT', 'LOOKUP']) env[`RATE_LIMIT_${limit}`] = '0'
      session = await openShell(repository, env)
      await compose(['build'], env)
    })

    afterAll(async () => {
      await session?.end()
      await compose(['down', '--volumes', '--timeout', '3'], env)
      await rm(folder, { recursive: true, force: true })
    })

    test('the documented commands move a shop that ran on one of each server, with its orders', async () => {
      await session.run(`export COMPOSE_FILE='${join(repository, 'docker-compose.yml')}'`)
      await session.run('docker compose up --detach </dev/null')
      await buy()
      await runBlocks('sh compose move-from')
      await session.run(`export COMPOSE_FILE='${env['COMPOSE_FILE']}'`)
      await runBlocks('sh compose move-to')
      await expectNothingLost()
    })

    test('the documented commands start it and show the role of each node', async () => {
      const blocks = codeBlocks('docs/operations.md', 'sh compose high-availability')
      const outputs: string[] = []
      for (const { text } of blocks) outputs.push(await session.run(`{\n${text}\n} </dev/null`))
      expect(outputs.join('')).toMatch(/\| postgres-3 +\|/)
      expect((await session.run('echo $primary')).trim()).toBe(await leader())
    })

    test('a guest buys something, and two standbys follow the primary', async () => {
      await buy()
      await waitFor(
        'two standbys',
        async () => {
          const states = (await members()).map(({ Role, State }) => `${Role} ${State}`).toSorted()
          return states.join() === 'Leader running,Replica running,Sync Standby running'
        },
        LIMIT_MS,
      )
      await expectNothingLost()
    })

    test('no container runs as root or can write to its image', async () => {
      const ids = await containers()
      const format = '{{.Name}} {{.HostConfig.ReadonlyRootfs}} {{.Config.User}}'
      const lines = (await docker('inspect', '--format', format, ...ids)).trim().split('\n')
      expect(lines.length).toBeGreaterThan(30)
      expect(lines.filter((line) => !/ true (?!root$|0(:|$)).+$/.test(line))).toEqual([])
    })

    test('the shop keeps selling, and loses no order, after the PostgreSQL primary is killed', async () => {
      const killed = (await leader()) ?? ''
      const others = POSTGRES.filter((name) => name !== killed)
      await docker('kill', await container(killed))
      await waitFor('another primary', async () => others.includes((await leader(others)) ?? ''), LIMIT_MS)
      await buy()
      await expectNothingLost()
      await docker('start', await container(killed))
      await waitFor(
        'the old primary to be a standby',
        async () =>
          (await members()).some(
            ({ Member, Role, State }) => Member === killed && Role !== 'Leader' && State === 'running',
          ),
        LIMIT_MS,
      )
    })

    test('another Redis becomes the primary, and the old one returns as its replica', async () => {
      const killed = (await primaryOfRedis(REDIS)) ?? ''
      const others = REDIS.filter((name) => name !== killed)
      await docker('kill', await container(killed))
      const primary = await waitFor('another primary', () => primaryOfRedis(others), LIMIT_MS)
      await buy()
      await docker('start', await container(killed))
      await waitFor(
        'the old primary to be a replica',
        async () => {
          const role = await docker('exec', await container(killed), 'sh', '-c', REDIS_ROLE)
          return role.startsWith('slave\n')
        },
        LIMIT_MS,
      )
      expect(await primaryOfRedis(REDIS)).toBe(primary)
    })

    test('the documented upgrade replaces every container but the edge while guests buy, and loses no order', async () => {
      const [before, postgres, redis] = [await containers(), await leader(), await primaryOfRedis(REDIS)]
      // With a label each of them differs from what runs, as with a new image.
      const names = (await compose(['config', '--services'], env)).trim().split('\n')
      const labeled = names.filter((name) => name !== 'edge').map((name) => [name, { labels: { upgraded: 'true' } }])
      const file = join(folder, 'upgrade.json')
      await writeFile(file, JSON.stringify({ services: Object.fromEntries(labeled) }))
      await addComposeFile(file)
      let isUpgrading = true
      const buyMeanwhile = async (): Promise<void> => {
        while (isUpgrading) {
          await buy()
          // Without a pause the demo shop would be sold out.
          await setTimeout(2000)
        }
      }
      const upgrade = async (): Promise<void> => {
        await runBlocks('sh compose upgrade', repository).finally(() => {
          isUpgrading = false
        })
      }
      await Promise.all([upgrade(), buyMeanwhile()])
      await buy()
      await expectNothingLost()
      expect((await containers()).filter((id) => before.includes(id))).toEqual([await container('edge')])
      expect(await leader()).not.toBe(postgres)
      expect(await primaryOfRedis(REDIS)).not.toBe(redis)
    })

    test('the shop keeps selling without one server of NATS', async () => {
      await docker('kill', await container('nats'))
      await buy()
      await expectNothingLost()
    })

    test('the documented commands archive to a bucket, and restore all three nodes to a moment', async () => {
      // A container reaches this process at the address of the default network.
      const gateway = await docker('network', 'inspect', '--format', '{{(index .IPAM.Config 0).Gateway}}', 'bridge')
      const bucket = await openBucket(gateway.trim())
      try {
        await writeFile(env['PGBACKREST_FILE'] ?? '', configurationOf(bucket, gateway.trim()))
        await addComposeFile(join(repository, 'deploy/high-availability/compose-archive.yml'))
        await runBlocks('sh compose archive')
        await buy()
        await session.run(`moment=${new Date().toISOString()}`)
        await buy()
        const lost = orders.pop()
        await runBlocks('sh compose moment')
        await expectNothingLost()
        expect(lost?.id).toBeDefined()
        expect(await sql(`select id from orders.orders where id = '${lost?.id}'`)).toEqual([])
        await buy()
        await waitFor(
          'the copies',
          async () => (await members()).filter(({ State }) => State === 'running').length === POSTGRES.length,
          LIMIT_MS,
        )
      } finally {
        await bucket.stop()
      }
    })
  },
)

/** The configuration of docs/operations.md, for a bucket at this address. */
function configurationOf(bucket: Awaited<ReturnType<typeof openBucket>>, address: string): string {
  return `[global]
repo1-type=s3
repo1-path=/shop
repo1-s3-bucket=${bucket.name}
repo1-s3-endpoint=${address}
repo1-storage-port=${bucket.port}
repo1-storage-verify-tls=n
repo1-s3-uri-style=path
repo1-s3-region=us-east-1
repo1-s3-key=${bucket.keyId}
repo1-s3-key-secret=${bucket.secret}
repo1-retention-full=2
compress-type=lz4
start-fast=y
`
}
