import { join, resolve } from 'node:path'
import { systemClock } from '@storefront/service'
import { runScript } from '../run-script.ts'
import { shopAddresses } from '../shop-addresses.ts'
import { messageOf, StartError } from '../start-error.ts'
import { showTransferProgress } from '../transfer/transfer-progress.ts'
import { backUp } from './back-up.ts'
import { backupsFolder } from './manifest.ts'

const help = `npm run backup -- [FOLDER]     makes a backup of a running shop: its database in one snapshot, and its pictures

FOLDER defaults to .data/backups/TIME (BACKUP_DIR replaces .data/backups). The shop is the one in DATA_DIR (.data);
DATABASE_URL, as the role of the migrate step, and MEDIA_DIR select another database and folder.
A backup does not contain secrets.json and SECRETS_KEY. Keep them elsewhere: without them the backup cannot be used, and with
them anyone can read its credentials.
`

const progress = showTransferProgress(process.stdout, () => performance.now())

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort())

await runScript({ command: 'npm run backup', help, options: {}, most: 1 }, async ({ positionals: [given] }) =>
  makeBackup(given).catch(throwFailure),
)

async function makeBackup(given: string | undefined): Promise<void> {
  const addresses = shopAddresses(process.env)
  const name = systemClock.now().toISOString().replaceAll(':', '-')
  const folder = resolve(given ?? join(backupsFolder(process.env, addresses.dataDir), name))
  const options = { env: process.env, addresses, clock: systemClock, progress, signal: stopping.signal }
  const { ledgerFaults, lackingPictures, rows } = await backUp(folder, options)
  progress.print(`${folder} holds ${rows['orders.orders'] ?? 0} orders and ${rows['catalog.products'] ?? 0} products.`)
  if (lackingPictures > 0)
    progress.print(
      `Pictures without their files: ${lackingPictures}. They were deleted meanwhile, or MEDIA_DIR is another folder.`,
    )
  if (ledgerFaults > 0)
    progress.print(`The stock of ${ledgerFaults} variants does not match its ledger: run npm run doctor for details.`)
}

function throwFailure(error: unknown): never {
  progress.end()
  if (error instanceof StartError) throw error
  const needsFolder = /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOTDIR|ENOENT):/.test(messageOf(error))
  const advice = needsFolder ? ' Name a folder with enough space that you may write to: npm run backup -- FOLDER.' : ''
  throw new StartError(`No backup was made: ${messageOf(error)}.${advice}`)
}
