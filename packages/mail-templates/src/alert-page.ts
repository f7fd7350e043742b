import escapeHtml from 'escape-html'
import { formatMoney, type AlertMailKind } from '@storefront/contracts'
import { buttonTo } from './button.ts'
import { usableLocale } from './locale.ts'
import type { AlertMailSource } from './mail-data.ts'
import { letterheadOf, storeVariables, type MailShop } from './mail-shop.ts'
import { PICTURE_STYLE, shownPicture } from './picture.ts'
import { oneLine, webAddress } from './words.ts'

const CELL = 'padding:12px 12px 12px 0;vertical-align:top;text-align:start;overflow-wrap:anywhere;'
const LINK = 'color:#1a1a1a;overflow-wrap:anywhere;'

/** The label of the button, and why the reader gets the mail. */
const BUTTON = 'View the product'
const REASON = 'You receive this email because you confirmed an alert for this product.'
const END = 'End this alert'

/** The variables of templates for mails about alerts. None of them is a secret. */
export function alertVariables({ about, product, formerPrice, productUrl }: AlertMailSource, shop: MailShop) {
  const locale = usableLocale(shop.locale)
  const title = oneLine(product.title)
  const options = Object.entries(product.options).map(([name, value]) => `${name}: ${value}`)
  return {
    store: storeVariables(letterheadOf(shop)),
    alert: { kind: about },
    product: {
      title,
      options: oneLine(options.join(', ')),
      price: formatMoney(product.price, locale),
      formerPrice: formerPrice && formatMoney(formerPrice, locale),
      url: webAddress(productUrl),
      image: shownPicture(product.image, shop.publicUrl, title),
      raw: { price: product.price.amount, formerPrice: formerPrice?.amount },
    },
  }
}
type AlertVariables = ReturnType<typeof alertVariables>

/** What follows the words of a mail: the product, and how to end the alert. It is fixed: no template can change it. */
export function alertParts(
  kind: AlertMailKind,
  { product }: AlertVariables,
  unsubscribeUrl: string,
): { text: string[]; html: string[] } {
  const card = { text: [cardText(product)], html: [cardHtml(product)] }
  if (kind === 'alertConfirmation') return card
  const { url } = product
  return {
    text: [...card.text, ...(url === undefined ? [] : [`${BUTTON}: ${url}`]), `${REASON}\n${END}: ${unsubscribeUrl}`],
    html: [
      ...card.html,
      ...(url === undefined ? [] : [buttonTo(url, BUTTON)]),
      `<p class="quiet" style="margin:0 0 16px;font-size:14px;color:#595959;">${REASON}<br />
<a href="${escapeHtml(unsubscribeUrl)}" style="${LINK}">${END}</a></p>`,
    ],
  }
}

function cardText({ title, options, price }: AlertVariables['product']): string {
  return [title, options, price].filter((line) => line !== '').join('\n')
}

function cardHtml({ title, options, price, image }: AlertVariables['product']): string {
  const shownOptions =
    options === '' ? '' : `<br /><span class="quiet" style="color:#595959;">${escapeHtml(options)}</span>`
  return `<table role="presentation" style="border-collapse:collapse;margin:16px 0;"><tr>
${image === undefined ? '' : pictureCell(image)}<td style="${CELL}"><strong>${escapeHtml(title)}</strong>${shownOptions}<br />${escapeHtml(price)}</td>
</tr></table>`
}

function pictureCell({ url, alt, width, height }: NonNullable<AlertVariables['product']['image']>): string {
  return `<td style="${CELL}"><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" style="${PICTURE_STYLE}" /></td>
`
}
