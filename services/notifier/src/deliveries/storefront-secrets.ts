import { DAY_MS, type Clock } from '@storefront/service'
import type { Credentials } from '@storefront/credentials'

const KEY = 'storefrontWebhookSecret'
/** How long a storefront has to learn the new secret. */
const BOTH_MS = DAY_MS

/**
 * The secrets that a delivery to the storefront is signed with: the merchant's secret replaces the one in the
 * environment. For a day the replaced one signs as well; a process that did not see the replacement assumes that it
 * was the environment's.
 */
export function storefrontSecrets(
  { credentials, clock }: { credentials: Pick<Credentials, 'get' | 'updatedAt' | 'replaced'>; clock: Clock },
  fromEnvironment: string,
): string[] {
  const secret = credentials.get(KEY) ?? fromEnvironment
  const since = credentials.updatedAt(KEY)
  if (since === undefined || clock.now().getTime() - since.getTime() >= BOTH_MS) return [secret]
  return [...new Set([secret, credentials.replaced(KEY) ?? fromEnvironment])]
}
