import { OrderMailKind, type NotificationSettings } from '@storefront/contracts'

/** A merchant who has switched this mail off notifies buyers in another way, and does the same for corrections. */
const SHIPPED = ['shipped'] as const

/**
 * Why a mail is not sent. Mails about accounts always are: without them no customer could recover an account.
 * @returns undefined when it is sent
 */
export function whySwitchedOff(kind: string, { enabled, transport, events }: NotificationSettings): string | undefined {
  const { data: orderKind } = OrderMailKind.safeParse(kind)
  if (orderKind === undefined) return undefined
  if (enabled === false || transport === 'none') return 'mails about orders are switched off'
  const off = [orderKind, ...(orderKind === 'trackingUpdated' ? SHIPPED : [])].find((each) => events?.[each] === false)
  return off && `mails of the kind ${off} are switched off`
}
