import { ContractViolation, createStorefrontClient, StorefrontError } from '@storefront/client'

const shop = createStorefrontClient({ baseUrl: process.env['SHOP'] ?? 'http://localhost:8080', timeoutMs: 5000 })

try {
  await shop.get('/products/{slug}', { params: { path: { slug: 'no-such-shirt' } }, timeoutMs: 2000 })
} catch (error) {
  if (error instanceof ContractViolation) {
    // A fault of the shop or of this program: for your log, never for a shopper.
    process.stderr.write(`${error.message}\n`)
  } else if (error instanceof StorefrontError) {
    // Branch on the code, show the message, quote the request id.
    process.stdout.write(`${error.code}: ${error.message}\n`)
  } else throw error
}
