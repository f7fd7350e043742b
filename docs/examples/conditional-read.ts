import { createStorefrontClient } from '@storefront/client'

const shop = createStorefrontClient({ baseUrl: process.env['SHOP'] ?? 'http://localhost:8080' })

// `http` returns the whole response, with its status and its headers.
const first = await shop.http.GET('/storefront')
const etag = first.response.headers.get('etag')

const again = await shop.http.GET('/storefront', { headers: { 'if-none-match': etag } })
process.stdout.write(`${first.response.status}, then ${again.response.status}\n`)
