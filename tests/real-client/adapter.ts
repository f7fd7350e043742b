import { openConnection, type ConnectionOptions } from './connection.ts'
import { catalogAdminCalls, shopAdminCalls } from './merchant-calls.ts'
import { accountCalls, cartCalls, catalogCalls, checkoutCalls, orderCalls } from './shopper-calls.ts'

/**
 * The calls of the existing storefront, under the names that it uses: its requests, its headers and the ids that it
 * keeps between them. Each asserts about its reply what that storefront asserts. It runs in Node and in browsers, so it
 * imports no package.
 */
export function createAdapter(options: ConnectionOptions) {
  const connection = openConnection(options)
  return {
    ...catalogCalls(connection),
    ...cartCalls(connection),
    ...checkoutCalls(connection, options.origin),
    ...orderCalls(connection),
    ...accountCalls(connection),
    ...catalogAdminCalls(connection),
    ...shopAdminCalls(connection),
  }
}

export type Adapter = ReturnType<typeof createAdapter>
