import { localizedAddress, usableLocale } from '@storefront/mail-templates'
import { decimalAmount, formatMoney, type Address, type CartLine, type Money } from '@storefront/contracts'
import type { StoredOrder } from '../orders/order.ts'
import { isPrintable, type Covers } from './printable.ts'
import type { ShopDetails } from './shop-details.ts'

export type OrderFormatter = ReturnType<typeof orderFormatter>

/** Writes values in the language of an order, or plainly where the fonts lack its letters. */
export function orderFormatter({ document }: StoredOrder, { timeZone }: ShopDetails, covers: Covers) {
  const locale = usableLocale(document.locale)
  const ifPrintable = (text: string, otherwise: () => string) => (isPrintable(text, covers) ? text : otherwise())
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  return {
    locale,
    money: (money: Money) => ifPrintable(formatMoney(money, locale), () => `${decimalAmount(money)} ${money.currency}`),
    percent: (basisPoints: number) => ifPrintable(percents.format(basisPoints / 10_000), () => `${basisPoints / 100}%`),
    day: (day: Date) => ifPrintable(dayIn(day, locale, timeZone), () => day.toISOString().slice(0, 10)),
    address: (address: Address) => {
      const lines = localizedAddress(address, locale)
      return lines.map((line, index) => ifPrintable(line, () => localizedAddress(address, 'en')[index] ?? line))
    },
    options: ({ options }: CartLine) =>
      Object.entries(options)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', '),
  }
}

/** An unknown time zone must not prevent an invoice: its days are then those of UTC. */
function dayIn(day: Date, locale: string, timeZone: string): string {
  const format = (zone: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: zone }).format(day)
  try {
    return format(timeZone)
  } catch {
    return format('UTC')
  }
}
