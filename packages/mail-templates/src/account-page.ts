import escapeHtml from 'escape-html'
import { buttonTo } from './button.ts'
import type { AccountMailData, MailLink } from './mail-data.ts'
import type { Letterhead } from './mail-shop.ts'

const IGNORE = 'If you did not request this, you can ignore this email: nothing changes.'

const NAME = /^[\p{L}\p{M}\p{N} .'’-]{1,60}$/u
const ADDRESS = /\.[\p{L}\p{N}]{2}/u
/** More digits than in any name: a phone number. */
const NUMBER = /(?:\p{Nd}\P{Nd}*){4}/u

/**
 * Anyone can register with the address of another person: the name they enter must not become an advertisement in our
 * mail. A text that mail programs would turn into a link is not used as a name.
 */
export function nameInGreeting(name: string | undefined): string | undefined {
  const called = name?.trim() ?? ''
  const looksLikeLink = ADDRESS.test(called) || NUMBER.test(called)
  return NAME.test(called) && !looksLikeLink ? called : undefined
}

const UTC = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** The frame around the text of a mail about an account. It is fixed: no template can change the link. */
export function accountFrame({ name, link }: AccountMailData, button: string | undefined, shop: Letterhead) {
  const called = nameInGreeting(name)
  const greeting = called === undefined ? 'Hello,' : `Hello ${called},`
  const rest = link && button !== undefined ? remainderOf(link, button) : { text: [], html: [] }
  const foot = shop.address.length === 0 ? [] : [[shop.name, ...shop.address].join('\n')]
  return {
    text: (words: string) => [shop.name, greeting, words, ...rest.text, ...foot].join('\n\n'),
    /** @param isForeign whether the text is in another language than our own */
    html: (words: string, isForeign: boolean) =>
      [englishHtml([paragraph(greeting)], isForeign), words, englishHtml(rest.html, isForeign)]
        .filter(Boolean)
        .join('\n'),
  }
}

function remainderOf(link: MailLink, button: string): { text: string[]; html: string[] } {
  const until = link.expiresAt ? [`The link works until ${UTC.format(link.expiresAt)} UTC.`] : []
  const url = escapeHtml(link.url)
  return {
    text: [link.url, ...until, IGNORE],
    html: [
      buttonTo(link.url, button),
      `<p style="margin:0 0 16px;">If the button does not work, open this link:<br />
<a href="${url}" style="color:#1a1a1a;overflow-wrap:anywhere;">${url}</a></p>`,
      ...[...until, IGNORE].map(paragraph),
    ],
  }
}

/** @param isForeign whether it is next to a text in another language: then it is marked as English */
export function englishHtml(parts: readonly string[], isForeign: boolean): string {
  const html = parts.join('\n')
  return isForeign && html !== '' ? `<div lang="en" dir="ltr">\n${html}\n</div>` : html
}

const paragraph = (text: string) => `<p style="margin:0 0 16px;">${escapeHtml(text)}</p>`
