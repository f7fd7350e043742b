import { replyTo } from '@storefront/messaging'
import { snapshot } from '@storefront/postgres'
import { CheckEmailAddresses, readEmailAddress } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import type { Connection } from '../database.ts'
import {
  countAddressesToCanonicalize,
  findHolder,
  HOLDERS,
  listAddressesToCanonicalize,
  type AddressToCanonicalize,
  type Holder,
} from './addresses-to-canonicalize.queries.ts'

const MAX_FAULTS = 100

/** Lists the rows whose address has no canonical form: an operator has to decide about them. */
export function replyToCheckAddresses(context: IdentityContext): void {
  replyTo(context, CheckEmailAddresses, () =>
    snapshot(context.db, async (moment) => {
      const faults: { subject: string; message: string }[] = []
      let total = 0
      for (const holder of HOLDERS) {
        total += await countAddressesToCanonicalize(moment, holder)
        const limit = MAX_FAULTS - faults.length
        if (limit === 0) continue
        for (const row of await listAddressesToCanonicalize(moment, holder, { after: undefined, limit })) {
          faults.push({ subject: row.id, message: await reasonOf(moment, holder, row) })
        }
      }
      return { faults, total }
    }),
  )
}

/** Does not contain the address, because readers of findings may lack the permission to see customers. */
async function reasonOf(connection: Connection, holder: Holder, { email }: AddressToCanonicalize): Promise<string> {
  const address = readEmailAddress(email)
  if (!address) return `the email address of this ${holder} is invalid: no mail can be sent to it`
  const first = await findHolder(connection, holder, address.canonical)
  if (!first) return `the email address of this ${holder} is processed within five minutes`
  return `this ${holder} has the same email address as ${first.id}, in another spelling, and cannot use it`
}
