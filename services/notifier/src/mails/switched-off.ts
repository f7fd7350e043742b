import { OrderMailKind, type NotificationSettings } from '@storefront/contracts'

/**
 * Why a mail is not to be sent. Mails about accounts always are: without them nobody could sign in again.
 * @returns undefined when it is to be sent
 */
export function whySwitchedOff(kind: string, { enabled, events }: NotificationSettings): string | undefined {
  const { data: orderKind } = OrderMailKind.safeParse(kind)
  if (orderKind === undefined) return undefined
  if (enabled === false) return 'mails about orders are switched off'
  return events?.[orderKind] === false ? `mails of the kind ${orderKind} are switched off` : undefined
}
