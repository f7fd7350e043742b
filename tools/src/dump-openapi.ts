import { openApiText } from './openapi-text.ts'
import { runScript } from './run-script.ts'
import { updateFromShop } from './update-from-shop.ts'

const help = `npm run client    updates docs/openapi.json, and the types of packages/client from it

Starts a shop for this, in a folder and on ports of its own.
`

await runScript({ command: 'npm run client', help, options: {} }, () =>
  updateFromShop('docs/openapi.json', (shop) => openApiText(shop.url)),
)
