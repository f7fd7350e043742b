import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Cart, Product, type Order } from '@storefront/contracts'
import { freePort } from '@storefront/tools/infrastructure'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { printSkipped } from '../support/print-skipped.ts'
import { TestClient } from '../support/test-client.ts'
import { codeBlocks } from '../documents/code-blocks.ts'
import type { ShellSession } from '../documents/shell-session.ts'
import { filesBelow, repository } from '../repository/source-files.ts'
import { composeFile, findEngine } from './engine.ts'

const { docker, compose, openShell, missing, observersMissing } = findEngine()
if (missing !== undefined) printSkipped('docker-compose.yml', missing)
else if (observersMissing !== undefined) printSkipped('the profile observability', observersMissing)

const blocks = (info: string) =>
  ['README.md', ...filesBelow('docs')]
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => codeBlocks(path, info).map(({ line, text }) => ({ where: `${path}:${line}`, commands: text })))
/**
 * Blocks marked `sh compose` are commands for the shop in containers, from its start on, in the order of the document.
 */
const documented = blocks('sh compose')
const Targets = z.object({
  data: z.object({
    activeTargets: z.array(
      z.object({ health: z.string(), labels: z.object({ job: z.string(), service: z.string().optional() }) }),
    ),
  }),
})

const Mails = z.object({
  messages: z.array(z.object({ Subject: z.string(), To: z.array(z.object({ Address: z.string() })) })),
})

describe.skipIf(missing !== undefined)(
  `docker compose up${missing === undefined ? '' : `: NOT run. ${missing}`}`,
  () => {
    const project = `storefront-test-${randomBytes(4).toString('hex')}`
    const env: Record<string, string> = {
      COMPOSE_PROJECT_NAME: project,
      COMPOSE_DOCKER_CLI_BUILD: '0',
      DOCKER_BUILDKIT: '0',
    }
    let folder = ''
    let session: ShellSession
    const orders: { kept?: Order; late?: Order } = {}
    let url = ''
    let storefrontUrl = ''
    let admin: TestClient
    let shirt: Product

    const numberOf = (order?: Order) => Number(/\d+$/.exec(order?.number ?? '')?.[0])
    const containers = async (service: string): Promise<string[]> =>
      (await compose(['ps', '-q', service], env)).split('\n').filter((id) => id !== '')
    const inspect = (id: string, format: string): Promise<string> =>
      docker('inspect', '--format', format, id).then((text) => text.trim())
    const buyFromDemoShop = async (): Promise<Order> => {
      const client = new TestClient(url)
      const products = await waitFor('the demo shop', async () => {
        const found = await client.products()
        return found.length > 0 ? found : undefined
      })
      const variant = products.flatMap(({ variants }) => variants).find(({ inventory }) => inventory > 5)
      return client.buy(variant?.id ?? '')
    }
    const sql = async <Row>(query: string): Promise<Row[]> => {
      const [id = ''] = await containers('postgres')
      const rows = `select coalesce(json_agg(r), '[]') from (${query}) r`
      const text = await docker('exec', id, 'psql', '-U', 'postgres', '-d', 'shop', '-tAc', rows)
      return z.array(z.custom<Row>()).parse(JSON.parse(text))
    }

    const asObserver = async () => {
      const [id = ''] = await containers('observers')
      const password = (await docker('exec', id, 'cat', '/run/storefront/password')).trim()
      return { authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` }
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'storefront-compose-'))
      const [shopPort, storefrontPort, mailPort] = [await freePort(), await freePort(), await freePort()]
      for (const name of ['PROMETHEUS', 'GRAFANA', 'JAEGER']) env[`${name}_PORT`] = String(await freePort())
      url = `http://127.0.0.1:${shopPort}`
      storefrontUrl = `http://127.0.0.1:${storefrontPort}`
      Object.assign(env, {
        // The working folder is outside of the repository, because the documented commands write files such as backups.
        COMPOSE_FILE: join(repository, 'docker-compose.yml'),
        PORT: String(shopPort),
        PUBLIC_URL: url,
        STOREFRONT_PORT: String(storefrontPort),
        STOREFRONT_URL: storefrontUrl,
        MAIL_PORT: String(mailPort),
        ...Object.fromEntries(
          ['GENERAL', 'AUTH', 'CHECKOUT', 'DISCOUNT', 'LOOKUP'].map((limit) => [`RATE_LIMIT_${limit}`, '0']),
        ),
      })
      session = await openShell(folder, env)
    })

    afterAll(async () => {
      await session?.end()
      await compose(['--profile', 'observability', 'down', '--volumes', '--timeout', '3'], env)
      await rm(folder, { recursive: true, force: true })
    })

    test('every profile is accepted', async () => {
      const profiles = Object.values(composeFile().services).flatMap(({ profiles = [] }) => profiles)
      for (const words of [[], ...[...new Set(profiles)].map((profile) => ['--profile', profile])]) {
        await compose([...words, 'config', '--quiet'], env)
      }
      expect(profiles).toContain('observability')
    })

    test('the images are built', async () => {
      await compose(['build'], env)
      expect(await docker('image', 'inspect', '--format', '{{.Config.User}}', 'storefront')).toBe('node\n')
      expect(await docker('image', 'inspect', '--format', '{{.Config.User}}', 'storefront-edge')).toBe('haproxy\n')
    })

    test('the documentation has commands to run', () => {
      expect(documented.map(({ commands }) => commands).join('')).toMatch(/up --detach[^]*pg_dump[^]*pg_restore/)
    })

    test.each(documented)('the commands at $where succeed', async ({ commands }) => {
      if (commands.includes('pg_dump')) orders.kept = await buyFromDemoShop()
      // Without /dev/null the programs would read the commands that follow.
      await expect(session.run(`{\n${commands}\n} </dev/null`)).resolves.toBeDefined()
      if (commands.includes('pg_dump')) orders.late = await buyFromDemoShop()
    })

    test('three carts and two gateways run', async () => {
      expect([(await containers('cart')).length, (await containers('gateway')).length]).toEqual([3, 2])
      await waitFor('the edge', async () => (await fetch(`${url}/readyz`)).status === 200)
    })

    test('the restored backup has the order before it, and not the one after it', async () => {
      const ids = Object.values(orders).map(({ id }) => `'${id}'`)
      expect(ids.length).toBe(2)
      expect(await sql(`select id from orders.orders where id in (${ids.join(', ')})`)).toEqual([
        { id: orders.kept?.id },
      ])
      await expectLedgerBalanced({ sql })
      const next = await buyFromDemoShop()
      expect(numberOf(next), 'a number that no other buyer holds').toBeGreaterThan(numberOf(orders.late))
      const client = new TestClient(url)
      const pictures = (await client.products()).flatMap(({ images }) => images.map((image) => image.url))
      expect(pictures.length).toBeGreaterThan(0)
    })

    test('no container runs as root or can write to its image', async () => {
      const ids = (await compose(['ps', '-q'], env)).split('\n').filter((id) => id !== '')
      const running = await Promise.all(
        ids.map(async (id) => ({
          name: await inspect(id, '{{index .Config.Labels "com.docker.compose.service"}}'),
          user: await inspect(id, '{{.Config.User}}'),
          readOnly: await inspect(id, '{{.HostConfig.ReadonlyRootfs}}'),
          running: await inspect(id, '{{.State.Running}}'),
        })),
      )
      expect(running.filter(({ running }) => running === 'true').length).toBeGreaterThanOrEqual(14)
      expect(running.filter(({ user, readOnly }) => /^(0|root)?(:|$)/.test(user) || readOnly !== 'true')).toEqual([])
    })

    test('a container of the shop has no shell, interpreter beside Node, or package manager', async () => {
      for (const [service, own] of [
        ['gateway', 'node'],
        ['edge', 'haproxy'],
      ] as const) {
        const [id = ''] = await containers(service)
        expect(await docker('exec', id, own, '-v')).not.toBe('')
        for (const program of ['sh', 'bash', 'dash', '/bin/sh', 'perl', 'apt-get', 'dpkg', 'npm']) {
          await expect(docker('exec', id, program, '--version')).rejects.toMatchObject({
            code: expect.toBeOneOf([126, 127]),
          })
        }
      }
    })

    test('the password of the admin is generated, and only identity has it', async () => {
      const [identity = ''] = await containers('identity')
      const environment = await docker('exec', identity, 'cat', '/run/storefront/environment')
      const password = /^ADMIN_PASSWORD=(.+)$/m.exec(environment)?.[1] ?? ''
      admin = new TestClient(url)
      await admin.signInAsAdmin('admin@example.com', password)
      const response = await admin.post('/admin/import', {
        mode: 'merge',
        products: [
          {
            slug: 'compose-shirt',
            title: 'Shirt',
            price: { amount: 4000, currency: 'USD' },
            options: [{ name: 'Size', values: ['M'] }],
            variants: [{ sku: 'COMPOSE-M', options: { Size: 'M' }, inventory: 100_000 }],
          },
        ],
      })
      expect(response.status).toBe(200)
      shirt = Product.parse((await admin.get('/products/compose-shirt')).body)

      const [cart = ''] = await containers('cart')
      expect(await docker('exec', cart, 'cat', '/run/storefront/environment')).not.toContain('ADMIN_PASSWORD')
    })

    test('a guest buys something and gets a mail', async () => {
      const guest = new TestClient(url)
      const order = await guest.buy(shirt.variants[0]?.id ?? '')
      await waitFor('the payment', async () => {
        const { body } = await guest.get(`/orders/${order.id}`)
        return z.object({ status: z.string() }).parse(body).status === 'paid'
      })
      await waitFor('the mail', async () => {
        const page = `http://127.0.0.1:${env['MAIL_PORT']}/api/v1/messages`
        expect((await fetch(page)).status).toBe(401)
        const response = await fetch(page, { headers: await asObserver() })
        return Mails.parse(await response.json()).messages.some(
          ({ Subject, To }) => Subject.includes(order.number) && To[0]?.Address === 'ada@example.com',
        )
      })
    })

    test('the storefront shows a new text of the merchant, because the webhook about it arrived', async () => {
      const page = async () => {
        const response = await fetch(storefrontUrl)
        expect(response.status).toBe(200)
        return response.text()
      }
      expect(await page()).not.toContain('The Compose Shop')
      const { status } = await admin.call('PATCH', '/admin/storefront', { store: { name: 'The Compose Shop' } })
      expect(status).toBe(200)
      // Without the webhook the page would stay unchanged for a minute.
      await waitFor('the new name', async () => (await page()).includes('The Compose Shop'), 30_000)
    })

    test('the storefront finds the address of no service but notifier, and of no server', async () => {
      const [storefront = ''] = await containers('storefront')
      for (const host of ['catalog', 'notifier', 'redis', 'nats', 'postgres']) {
        const script = `require('dns').lookup('${host}', (error) => console.log(error ? 'unknown' : 'known'))`
        const found = await docker('exec', storefront, 'node', '--eval', script)
        // Only notifier shares a network with it.
        expect([host, found.trim()]).toEqual([host, host === 'notifier' ? 'known' : 'unknown'])
      }
    })

    test('the address that a client claims in a header is ignored', async () => {
      const [gateways, marker] = [await containers('gateway'), `/products/${randomBytes(6).toString('hex')}`]
      await fetch(`${url}${marker}`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
      const lines = await waitFor('the line in a log', async () => {
        const logs = await Promise.all(gateways.map((id) => docker('logs', id)))
        const about = logs.flatMap((log) => log.split('\n').filter((line) => line.includes(marker)))
        return about.length > 0 ? about : undefined
      })
      expect(lines.join('\n')).not.toContain('203.0.113.9')
    })

    test('no request fails and every replica serves while carts and gateways are killed or stopped', async () => {
      const faults: string[] = []
      let [bought, phase, stopped] = [0, 'before', false]
      const shopper = async (): Promise<void> => {
        while (!stopped) {
          const client = new TestClient(url)
          const step = async (what: string, call: () => Promise<{ status: number; body: unknown }>) => {
            const during = phase
            const response = await call().catch((error: unknown) => ({ status: 0, body: String(error) }))
            const isFault = response.status < 200 || response.status >= 300
            if (isFault) faults.push(`${during}, ${what}: ${response.status} ${JSON.stringify(response.body)}`)
            return isFault ? undefined : response.body
          }
          await step('a list', () => client.get('/products'))
          await step('a product', () => client.get('/products/compose-shirt'))
          const begun = await step('a new cart', () => client.post('/carts', {}))
          if (begun === undefined) continue
          const { id } = Cart.parse(begun)
          const line = { variant_id: shirt.variants[0]?.id ?? '', quantity: 1 }
          await step('a line', () => client.post(`/carts/${id}/lines`, line))
          await step('a cart', () => client.get(`/carts/${id}`))
          await step('a checkout', () => client.checkOut(id))
          bought += 1
        }
      }
      const load = Promise.all(Array.from({ length: 6 }, shopper))
      const more = (purchases: number) => {
        const wanted = bought + purchases
        return waitFor(`${purchases} more purchases`, () => bought >= wanted, 200_000)
      }
      try {
        const [carts, gateways] = [await containers('cart'), await containers('gateway')]
        await more(12)
        await waitFor('every replica to have served requests', async () => {
          const served = await Promise.all([...carts, ...gateways].map(requestsOf))
          return Math.min(...served) > 10
        })
        for (const [replicas, service] of [
          [carts, 'cart'],
          [gateways, 'gateway'],
        ] as const) {
          const [first = '', second = ''] = replicas
          phase = `a ${service} is killed`
          await docker('kill', first)
          await more(12)
          await docker('start', first)
          await waitFor('the replica', async () => (await inspect(first, '{{.State.Health.Status}}')) === 'healthy')
          const before = await requestsOf(first)
          await waitFor('the replica to serve requests again', async () => (await requestsOf(first)) > before + 5)
          phase = `a ${service} is stopped`
          await docker('stop', second)
          await more(12)
          await docker('start', second)
        }
      } finally {
        stopped = true
        await load
      }
      expect(faults).toEqual([])
      await expectLedgerBalanced({ sql })
    })

    test('the metrics of each service and of the edge are served on their network', async () => {
      const [gateway = ''] = await containers('gateway')
      for (const service of ['gateway', 'catalog', 'cart', 'orders', 'identity', 'notifier', 'edge']) {
        const script = `fetch('http://${service}:9464/metrics').then((response) => response.text()).then(console.log)`
        const sign = service === 'edge' ? 'haproxy_backend_active_servers' : `service="${service}"`
        expect(await docker('exec', gateway, 'node', '--eval', script)).toContain(sign)
      }
    })

    test.each(blocks('sh compose own-storefront'))(
      'the commands at $where leave the storefront out',
      async ({ commands }) => {
        await session.run(`{\n${commands}\n} </dev/null`)
        expect(await containers('storefront')).toEqual([])
        await waitFor('the edge', async () => (await fetch(`${url}/readyz`)).status === 200)
      },
    )

    describe.skipIf(observersMissing !== undefined)(
      `the observers${observersMissing === undefined ? '' : `: NOT run. ${observersMissing}`}`,
      () => {
        test.each(blocks('sh compose observability'))('the commands at $where print text', async ({ commands }) => {
          expect((await session.run(`{\n${commands}\n} </dev/null`)).trim()).toMatch(/\S$/)
        })

        test('Prometheus scrapes every service and the edge, Grafana responds, and the shop still sells', async () => {
          const headers = await asObserver()
          const page = (name: string, path: string) =>
            fetch(`http://127.0.0.1:${env[`${name}_PORT`]}${path}`, { headers: name === 'GRAFANA' ? {} : headers })
          for (const name of ['PROMETHEUS', 'JAEGER']) {
            expect((await fetch(`http://127.0.0.1:${env[`${name}_PORT`]}/`)).status).toBe(401)
            await waitFor(name, async () => (await page(name, '/')).ok)
          }
          const names = await waitFor('all targets to be up', async () => {
            const response = await page('PROMETHEUS', '/api/v1/targets?state=active')
            const { activeTargets } = Targets.parse(await response.json()).data
            const up = activeTargets.filter(({ health }) => health === 'up')
            const found = new Set(up.map(({ labels }) => labels.service ?? labels.job))
            return found.size === 8 && up.length === activeTargets.length ? found : undefined
          })
          expect([...names].toSorted((one, other) => one.localeCompare(other))).toEqual([
            'cart',
            'catalog',
            'edge',
            'gateway',
            'identity',
            'notifier',
            'orders',
            'prometheus',
          ])
          await waitFor('Grafana', async () => (await page('GRAFANA', '/api/health')).status === 200)
          expect((await new TestClient(url).buy(shirt.variants[0]?.id ?? '')).number).toMatch(/\d/)
        })
      },
    )
  },
)

/** The requests that a replica has served, without probes, from its own metrics. */
async function requestsOf(id: string): Promise<number> {
  const script = `fetch('http://127.0.0.1:9464/metrics').then((response) => response.text()).then(console.log)`
  const text = await docker('exec', id, 'node', '--eval', script)
  const counts = [...text.matchAll(/^http_server_request_duration_seconds_count\{(.*)\} (\d+)$/gm)]
  return counts
    .filter(([, labels = '']) => !/route="\/(readyz|healthz)"/.test(labels))
    .reduce((sum, [, , count]) => sum + Number(count), 0)
}
