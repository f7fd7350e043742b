import { resolve } from 'node:path'
import { readLastInvoice, readOptions } from '../read-options.ts'
import { messageOf, StartError } from '../start-error.ts'
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

try {
  const known = {
    replace: { type: 'boolean' },
    'new-secrets': { type: 'boolean' },
    'last-invoice': { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values, positionals } = readOptions('npm run restore', known, { most: 1 })
  const [folder] = positionals
  if (values.help === true) process.stdout.write(help)
  else if (folder === undefined) throw new StartError('Name the backup: npm run restore -- .data/backups/….')
  else {
    await restore(resolve(folder), {
      env: process.env,
      replace: values.replace === true,
      newSecrets: values['new-secrets'] === true,
      lastInvoice: readLastInvoice(values['last-invoice']),
      progress,
      signal: stopping.signal,
    })
    progress.print('Accounts and guests whose data were deleted after the backup are there again: delete them again.')
    progress.print('The backup is restored. Start the shop.')
  }
  process.exit()
} catch (error) {
  progress.end()
  process.stderr.write(`${error instanceof StartError ? error.message : `The restore failed: ${messageOf(error)}`}\n`)
  process.exit(1)
}
