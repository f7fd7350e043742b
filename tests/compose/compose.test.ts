import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Product } from '@storefront/contracts'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { saySkipped } from '../support/say-skipped.ts'
import { Visitor } from '../support/visitor.ts'
import { composeFile, findEngine } from './engine.ts'

const { docker, compose, missing } = findEngine()
if (missing !== undefined) saySkipped('docker-compose.yml', missing)

const Mails = z.object({
  messages: z.array(z.object({ Subject: z.string(), To: z.array(z.object({ Address: z.string() })) })),
})

describe.skipIf(missing !== undefined)(
  `docker compose up${missing === undefined ? '' : `: NOT run. ${missing}`}`,
  () => {
    const project = `storefront-test-${randomBytes(4).toString('hex')}`
    const env: Record<string, string> = { COMPOSE_PROJECT_NAME: project }
    let url = ''
    let shirt: Product

    const containers = async (service: string): Promise<string[]> =>
      (await compose(['ps', '-q', service], env)).split('\n').filter((id) => id !== '')
    const inspect = (id: string, format: string): Promise<string> =>
      docker('inspect', '--format', format, id).then((text) => text.trim())
    const sql = async <Row>(query: string): Promise<Row[]> => {
      const [id = ''] = await containers('postgres')
      const rows = `select coalesce(json_agg(r), '[]') from (${query}) r`
      const text = await docker('exec', id, 'psql', '-U', 'postgres', '-d', 'shop', '-tAc', rows)
      return z.array(z.custom<Row>()).parse(JSON.parse(text))
    }

    afterAll(async () => {
      await compose(['down', '--volumes', '--timeout', '3'], env)
    })

    test('every profile is accepted', async () => {
      const profiles = Object.values(composeFile().services).flatMap(({ profiles = [] }) => profiles)
      for (const words of [[], ...[...new Set(profiles)].map((profile) => ['--profile', profile])]) {
        await compose([...words, 'config', '--quiet'], env)
      }
      expect(profiles).toContain('observability')
    })

    test('the images are built', async () => {
      await compose(['build'], { ...env, COMPOSE_DOCKER_CLI_BUILD: '0', DOCKER_BUILDKIT: '0' })
      expect(await docker('image', 'inspect', '--format', '{{.Config.User}}', 'storefront')).toBe('node\n')
      expect(await docker('image', 'inspect', '--format', '{{.Config.User}}', 'storefront-edge')).toBe('haproxy\n')
    })

    test('one command starts it all, with three carts and two gateways', async () => {
      const [shopPort, mailPort] = [await freePort(), await freePort()]
      url = `http://127.0.0.1:${shopPort}`
      Object.assign(env, {
        PORT: String(shopPort),
        PUBLIC_URL: url,
        MAIL_PORT: String(mailPort),
        ...Object.fromEntries(
          ['GENERAL', 'AUTH', 'CHECKOUT', 'DISCOUNT', 'LOOKUP'].map((limit) => [`RATE_LIMIT_${limit}`, '0']),
        ),
      })
      await compose(['up', '--detach', '--scale', 'cart=3', '--scale', 'gateway=2'], env)
      await waitFor('the edge', async () => (await fetch(`${url}/readyz`)).status === 200)
      expect([(await containers('cart')).length, (await containers('gateway')).length]).toEqual([3, 2])
    })

    test('a new shop has something to sell', async () => {
      const visitor = new Visitor(url)
      await waitFor('the demo shop', async () => (await visitor.products()).length > 0, 200_000)
    })

    test('nothing runs as root or can write to its image', async () => {
      const ids = (await compose(['ps', '-q'], env)).split('\n').filter((id) => id !== '')
      const running = await Promise.all(
        ids.map(async (id) => ({
          name: await inspect(id, '{{index .Config.Labels "com.docker.compose.service"}}'),
          user: await inspect(id, '{{.Config.User}}'),
          readOnly: await inspect(id, '{{.HostConfig.ReadonlyRootfs}}'),
          running: await inspect(id, '{{.State.Running}}'),
        })),
      )
      expect(running.filter(({ running }) => running === 'true').length).toBeGreaterThanOrEqual(13)
      expect(running.filter(({ user, readOnly }) => /^(0|root)?(:|$)/.test(user) || readOnly !== 'true')).toEqual([])
    })

    test('the password of the admin is made, and identity alone can say it', async () => {
      const [identity = ''] = await containers('identity')
      const environment = await docker('exec', identity, 'cat', '/run/storefront/environment')
      const password = /^ADMIN_PASSWORD=(.+)$/m.exec(environment)?.[1] ?? ''
      const admin = new Visitor(url)
      await admin.signInAsAdmin('admin@example.com', password)
      const answer = await admin.post('/admin/import', {
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
      expect(answer.status).toBe(200)
      shirt = Product.parse((await admin.get('/products/compose-shirt')).body)

      const [cart = ''] = await containers('cart')
      expect(await docker('exec', cart, 'cat', '/run/storefront/environment')).not.toContain('ADMIN_PASSWORD')
    })

    test('a guest buys something and gets a mail', async () => {
      const guest = new Visitor(url)
      const order = await guest.buy(shirt.variants[0]?.id ?? '')
      await waitFor('the payment', async () => {
        const { body } = await guest.get(`/orders/${order.id}`)
        return z.object({ status: z.string() }).parse(body).status === 'paid'
      })
      await waitFor('the mail', async () => {
        const answer = await fetch(`http://127.0.0.1:${env['MAIL_PORT']}/api/v1/messages`)
        return Mails.parse(await answer.json()).messages.some(
          ({ Subject, To }) => Subject.includes(order.number) && To[0]?.Address === 'ada@example.com',
        )
      })
    })

    test('what a client says about where it comes from is not believed', async () => {
      const [gateways, marker] = [await containers('gateway'), `/products/${randomBytes(6).toString('hex')}`]
      await fetch(`${url}${marker}`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
      const lines = await waitFor('the line in a log', async () => {
        const logs = await Promise.all(gateways.map((id) => docker('logs', id)))
        const about = logs.flatMap((log) => log.split('\n').filter((line) => line.includes(marker)))
        return about.length > 0 ? about : undefined
      })
      expect(lines.join('\n')).not.toContain('203.0.113.9')
    })

    test('all copies work, and when a cart and a gateway are killed under load no request fails', async () => {
      const faults: string[] = []
      let [bought, stopped] = [0, false]
      const shopper = async (): Promise<void> => {
        while (!stopped) {
          const visitor = new Visitor(url)
          const step = async (what: string, call: () => Promise<{ status: number }>) => {
            const status = await call().then(
              (answer) => answer.status,
              (error: unknown) => String(error),
            )
            if (typeof status === 'string' || status >= 400) faults.push(`${what}: ${status}`)
          }
          await step('a list', () => visitor.get('/products'))
          await step('a product', () => visitor.get('/products/compose-shirt'))
          await step('a purchase', async () => {
            const cart = await visitor.cartWith(shirt.variants[0]?.id ?? '')
            await step('a cart', () => visitor.get(`/carts/${cart.id}`))
            return visitor.checkOut(cart.id)
          })
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
        await more(60)
        const served = await Promise.all([...carts, ...gateways].map((id) => requestsOf(id)))
        expect(Math.min(...served)).toBeGreaterThan(20)

        await docker('kill', carts[0] ?? '')
        await more(40)
        await docker('kill', gateways[0] ?? '')
        await more(40)
      } finally {
        stopped = true
        await load
      }
      expect(faults).toEqual([])
      await expectLedgerBalanced({ sql })
    })
  },
)

/** Requests, probes aside, that a copy has answered, from its own metrics. */
async function requestsOf(id: string): Promise<number> {
  const ask = `fetch('http://127.0.0.1:9464/metrics').then((answer) => answer.text()).then(console.log)`
  const text = await docker('exec', id, 'node', '--eval', ask)
  const counts = [...text.matchAll(/^http_server_request_duration_seconds_count\{(.*)\} (\d+)$/gm)]
  return counts
    .filter(([, labels = '']) => !/route="\/(readyz|healthz)"/.test(labels))
    .reduce((sum, [, , count]) => sum + Number(count), 0)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
