import { resolve } from 'node:path'
import { readLastInvoice } from '../read-options.ts'
import { runScript } from '../run-script.ts'
import { StartError } from '../start-error.ts'
import { showTransferProgress } from '../transfer/transfer-progress.ts'
import { restore } from './restore.ts'

const help = `npm run restore -- FOLDER      restores a backup into a shop that is stopped; then run npm start

-- --replace                   replaces the shop in this database; without it, only an empty database accepts a backup
-- --new-secrets               continues without secrets.json, when it is lost
-- --last-invoice NUMBER       continues the invoices after this one, the last that was sent; needed only where the shop that sent
                            it is lost, and not replaced
-- --help

What was written after the backup is lost. secrets.json in DATA_DIR (.data) must be that of the shop. DATABASE_URL, REDIS_URL and
NATS_URL select other servers; NATS_REPLICAS and STREAM_MAX_BYTES are needed where npm start or the migrate step has them.
`

const progress = showTransferProgress(process.stdout, () => performance.now())
const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort())

await runScript(
  {
    command: 'npm run restore',
    help,
    options: { replace: { type: 'boolean' }, 'new-secrets': { type: 'boolean' }, 'last-invoice': { type: 'string' } },
    most: 1,
    what: 'The restore',
  },
  async ({ values, positionals: [folder] }) => {
    if (folder === undefined) throw new StartError('Name the backup: npm run restore -- .data/backups/….')
    await restore(resolve(folder), {
      env: process.env,
      replace: values.replace === true,
      newSecrets: values['new-secrets'] === true,
      lastInvoice: readLastInvoice(values['last-invoice']),
      progress,
      signal: stopping.signal,
    }).finally(() => progress.end())
    progress.print('Accounts and guests whose data were deleted after the backup are there again: delete them again.')
    progress.print('The backup is restored. Start the shop.')
  },
)
process.exit()
