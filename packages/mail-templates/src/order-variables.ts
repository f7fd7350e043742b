import { formatMoney, isTaxIncluded, type Address, type Money, type Order } from '@storefront/contracts'
import { localizedAddress } from './address.ts'
import { formatDay, usableLocale } from './locale.ts'
import type { OrderMailSource } from './mail-data.ts'
import { letterheadOf, storeVariables, type MailShop } from './mail-shop.ts'
import { shownPicture } from './picture.ts'
import { withoutLinks } from './without-links.ts'
import { oneLine, webAddress } from './words.ts'

/**
 * The variables of templates for mails about orders. Zero amounts, and data that an order does not have, are missing.
 */
export function orderVariables({ order, locale: given, refund, url }: OrderMailSource, shop: MailShop) {
  const locale = usableLocale(given, shop.locale)
  const show = (amount: Money) => formatMoney(amount, locale)
  const showSome = (amount: Money) => (amount.amount > 0 ? show(amount) : undefined)
  const placedAt = new Date(order.placedAt)
  const shippingAddress = addressVariables(order.shippingAddress, locale)
  return {
    store: storeVariables(letterheadOf(shop)),
    customer: { name: shippingAddress.name },
    order: {
      number: oneLine(order.number),
      url: url === undefined ? undefined : webAddress(url),
      status: order.status,
      placedAt: formatDay(placedAt, locale, shop.timeZone),
      email: withoutLinks(order.email),
      currency: order.total.currency,
      lines: order.lines.map((line) => lineVariables(line, show, shop.publicUrl)),
      subtotal: show(order.subtotal),
      discount: showSome(order.discount),
      discountCode: order.discountCode && oneLine(order.discountCode.code),
      shipping: show(order.shipping),
      tax: showSome(order.tax),
      taxIncluded: isTaxIncluded(order) ? true : undefined,
      total: show(order.total),
      refunded: showSome(order.refundedTotal),
      shippingAddress,
      shippingMethod: oneLine(order.shippingMethod),
      giftMessage: order.giftMessage && withoutLinks(order.giftMessage),
      tracking: order.tracking && trackingVariables(order.tracking),
      payment: {
        provider: oneLine(order.payment.provider),
        status: order.payment.status,
        method: order.payment.method && oneLine(order.payment.method),
      },
      raw: {
        placedAt: placedAt.toISOString(),
        subtotal: order.subtotal.amount,
        discount: order.discount.amount,
        shipping: order.shipping.amount,
        tax: order.tax.amount,
        total: order.total.amount,
        refunded: order.refundedTotal.amount,
      },
    },
    refund: refund && {
      amount: show(refund.amount),
      reason: refund.reason === undefined ? undefined : oneLine(refund.reason),
      raw: { amount: refund.amount.amount },
    },
  }
}

function lineVariables(line: Order['lines'][number], show: (amount: Money) => string, publicUrl: string) {
  const options = Object.entries(line.options).map(([name, value]) => `${name}: ${value}`)
  const title = oneLine(line.title)
  return {
    title,
    options: oneLine(options.join(', ')),
    quantity: line.quantity,
    unitPrice: show(line.unitPrice),
    total: show(line.lineTotal),
    image: shownPicture(line.image, publicUrl, title),
    raw: { unitPrice: line.unitPrice.amount, total: line.lineTotal.amount },
  }
}

/** All of it was typed by a buyer. */
function addressVariables(address: Address, locale: string) {
  const shown = {
    name: withoutLinks(address.name),
    line1: withoutLinks(address.line1),
    line2: withoutLinks(address.line2),
    city: withoutLinks(address.city),
    region: withoutLinks(address.region),
    postalCode: withoutLinks(address.postalCode),
    country: withoutLinks(address.country),
    phone: withoutLinks(address.phone),
  }
  return { ...shown, lines: localizedAddress(shown, locale) }
}

/** @returns undefined when there are no tracking details: older orders may have empty tracking */
function trackingVariables({ carrier, code, url }: NonNullable<Order['tracking']>) {
  const tracking = {
    carrier: oneLine(carrier) || undefined,
    code: oneLine(code) || undefined,
    url: webAddress(url),
  }
  return Object.values(tracking).every((part) => part === undefined) ? undefined : tracking
}
