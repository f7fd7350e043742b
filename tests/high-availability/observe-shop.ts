import { SMTPServer } from 'smtp-server'
import { z } from 'zod'
import type { RunningCluster } from '@storefront/tools/high-availability'
import { TestClient } from '../support/test-client.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'
import type { Observers } from './final-state.ts'
import { registerReceiver } from './register-receiver.ts'
import { readSentMail } from './sent-mails.ts'
import type { SentMail } from './shop-state.ts'

export interface MailServer {
  port: number
  /** The mails about orders that it has accepted. */
  mails: SentMail[]
  close(): Promise<void>
}

const Login = z.looseObject({ token: z.string() })
const Products = z.looseObject({
  items: z.array(z.looseObject({ variants: z.array(z.looseObject({ id: z.string() })) })),
})

/** Starts the mail server to which the shop sends, in place of a mail provider. It keeps only what a mail is about. */
export async function openMailServer(): Promise<MailServer> {
  const mails: SentMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1_000,
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const mail = readSentMail(Buffer.concat(parts).toString())
        if (mail) mails.push(mail)
        done(null)
      })
    },
  })
  server.on('error', () => {}) // A client may vanish at any time.
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const address = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the mail server has no port')
  return { port: address.port, mails, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** Gives the first variants of the demo shop stock, one of them little, and begins to observe them. */
export async function observeShop(
  cluster: RunningCluster,
  { mails }: MailServer,
  { variants, units, fewUnits }: { variants: number; units: number; fewUnits: number },
): Promise<Observers & { close: () => Promise<void> }> {
  const admin = new TestClient(cluster.url)
  const login = await admin.post('/admin/auth/login', { email: cluster.adminEmail, password: cluster.adminPassword })
  admin.token = Login.parse(login.body).token
  const receiver = await openWebhookReceiver(cluster.network.hostAddress)
  const { items } = Products.parse((await admin.get(`/products?per_page=${variants}`)).body)
  const variantIds = items.flatMap((product) => product.variants.slice(0, 1).map(({ id }) => id))
  for (const [index, variantId] of variantIds.entries()) {
    const quantity = index === 0 ? fewUnits : units
    const set = await admin.call('PATCH', `/admin/variants/${variantId}/inventory`, { quantity })
    if (set.status !== 200) throw new Error(`the stock was not set: ${set.status} ${JSON.stringify(set.body)}`)
  }
  const endpointId = await registerReceiver(admin, receiver)
  return {
    admin,
    variantIds,
    endpointId,
    received: receiver.received,
    readMails: async () => [...mails],
    close: () => receiver.close(),
  }
}
