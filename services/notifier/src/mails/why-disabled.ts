import { OrderMailKind, type NotificationSettings } from '@storefront/contracts'

/**
 * A merchant who has switched the mail `shipped` off notifies buyers in another way, and does the same for parts of an
 * order and for corrections.
 */
const ABOUT_PARCELS: ReadonlySet<string> = new Set(['partlyShipped', 'trackingUpdated'])

/**
 * Why a mail is not sent. Mails about accounts always are: without them no customer could recover an account.
 * @returns undefined when it is sent
 */
export function whyDisabled(kind: string, { enabled, transport, events }: NotificationSettings): string | undefined {
  const { data: orderKind } = OrderMailKind.safeParse(kind)
  if (orderKind === undefined) return undefined
  if (enabled === false || transport === 'none') return 'mails about orders are switched off'
  const switches = ABOUT_PARCELS.has(orderKind) ? [orderKind, 'shipped' as const] : [orderKind]
  const off = switches.find((each) => events?.[each] === false)
  return off && `mails of the kind ${off} are switched off`
}
