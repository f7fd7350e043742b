import { readLastInvoice, readLastOrder } from '../read-options.ts'
import { runScript } from '../run-script.ts'
import { StartError } from '../start-error.ts'
import { continueAfterRestore } from './continue-after-restore.ts'
import { settlePayments } from './settle-payments.ts'

const help = `npm run recovery -- COMMAND --moment TIME     after PostgreSQL was restored to a moment

continue                    for a stopped shop: order numbers continue after those that were used since, streams and
                            Redis are emptied, and events that a consumer has no receipt of are published again
  --last-order NUMBER       continues the orders after this one, the last of the old server, without its prefix
  --last-invoice NUMBER     continues the invoices after this one, the last that was sent
payments                    lists what the payment providers have taken since, and the shop does not know
  --refund REFERENCE        refunds a lost payment; can be repeated
  --refund-all              refunds all lost payments: not for an account that several shops share

For both of them:
  --moment TIME             the moment of the restore, ISO 8601, such as 2026-11-21T08:00:00Z
  --help

DATABASE_URL, REDIS_URL and NATS_URL are those of the migrate step, CART_DATABASE_URL and so on too; without them the servers in
DATA_DIR (.data) are used. payments needs STRIPE_SECRET_KEY, or RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET. Its exit code is 1 as
long as a payment is lost, or a refund not recorded.
`

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort())

await runScript(
  {
    command: 'npm run recovery',
    help,
    options: {
      moment: { type: 'string' },
      refund: { type: 'string', multiple: true },
      'refund-all': { type: 'boolean' },
      'last-order': { type: 'string' },
      'last-invoice': { type: 'string' },
    },
    most: 1,
    what: 'The recovery',
  },
  async ({ values, positionals: [command] }) => {
    const out = (text: string): void => void process.stdout.write(text)
    const { env } = process
    if (command !== 'continue' && command !== 'payments')
      throw new StartError('Name a command, continue or payments: see npm run recovery -- --help.')
    const moment = momentOf(values.moment)
    if (command === 'payments') {
      const refund = values['refund-all'] === true ? 'all' : (values.refund ?? [])
      const { lost, unrecorded } = await settlePayments(moment, { env, out, refund })
      if (lost + unrecorded > 0) process.exitCode = 1
      return
    }
    const lastOrder = readLastOrder(values['last-order'])
    const lastInvoice = readLastInvoice(values['last-invoice'])
    const print = (line: string): void => out(`${line}\n`)
    await continueAfterRestore(moment, { env, lastOrder, lastInvoice, print, signal: stopping.signal })
    out(`Start the shop, then look for lost payments: npm run recovery -- payments --moment ${moment.toISOString()}\n`)
  },
)
process.exit()

function momentOf(text: string | undefined): Date {
  const moment = new Date(text ?? Number.NaN)
  // Without the zone, the time would be that of this machine.
  if (Number.isNaN(moment.getTime()) || !/(Z|[+-]\d\d:?\d\d)$/.test(text ?? '')) {
    throw new StartError('--moment must be a time with its zone, such as 2026-11-21T08:00:00Z.')
  }
  if (moment > new Date()) throw new StartError('--moment must be in the past.')
  return moment
}
