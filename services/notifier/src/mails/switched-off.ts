import { OrderMailKind, type NotificationSettings } from '@storefront/contracts'

/** A merchant who has switched this mail off tells buyers in another way, and corrects it in that way, too. */
const SHIPPED = ['shipped'] as const

/**
 * Why a mail is not to be sent. Mails about accounts always are: without them nobody could sign in again.
 * @returns undefined when it is to be sent
 */
export function whySwitchedOff(kind: string, { enabled, transport, events }: NotificationSettings): string | undefined {
  const { data: orderKind } = OrderMailKind.safeParse(kind)
  if (orderKind === undefined) return undefined
  if (enabled === false || transport === 'none') return 'mails about orders are switched off'
  const off = [orderKind, ...(orderKind === 'trackingUpdated' ? SHIPPED : [])].find((each) => events?.[each] === false)
  return off && `mails of the kind ${off} are switched off`
}
