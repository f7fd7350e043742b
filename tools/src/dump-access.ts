import { accessPage, readAccess } from './access-table.ts'
import { runScript } from './run-script.ts'
import { updateFromShop } from './update-from-shop.ts'

const help = `npm run access    updates docs/access.md: every route of the shop, and who may call it

Starts a shop for this, in a folder and on ports of its own.
`

await runScript({ command: 'npm run access', help, options: {} }, () =>
  updateFromShop('docs/access.md', async (shop) => accessPage(await readAccess(shop.services))),
)
