import { oneLine } from './words.ts'

/** What browsers and mail programs read as the dot of a domain. */
const DOT = '[.\\u2024\\u3002\\uff0e\\uff61]'
/** Characters that are not seen, and could hide a domain from the expressions below. Between two letters, joiners belong to names. */
const HIDDEN =
  /(?<!\p{L}\p{M}*)[\u200c\u200d]|[\u200c\u200d](?!\p{L})|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu
const AT = /\s*[@\ufe6b\uff20]\s*/gu
const SCHEME = /(?<=\p{L}\p{M}*)[:\uff1a](?=\S)/gu
const SLASHES = /[/\\\uff0f\uff3c]{2,}/gu
const DOMAIN_DOT = new RegExp(`${DOT}(?=[\\p{L}\\p{M}])`, 'gu')
const DOT_ALONE = new RegExp(DOT, 'gu')
/** An IP address is a link as well. A number with a decimal point is not. */
const DOTTED_NUMBERS = new RegExp(`\\d+(?:${DOT}\\d+){2,}`, 'gu')
/** Seven digits or more, with what stands between the digits of a phone number. */
const PHONE = /\p{Nd}(?:[\s().\-‐-―/]*\p{Nd}){6,}/gu
const DIGIT_BEFORE_ANOTHER = /\p{Nd}(?=.*\p{Nd})/gu
/** Without width. Other characters of the kind are ones that Android's search for phone numbers reads across. */
const NON_JOINER = '\u200c'

/**
 * Text of a buyer as mails show it. Mail programs make links of what looks like one, in plain text as in HTML: of addresses of the web
 * and of mail, and of phone numbers. A space takes the place where one would begin, and a character without width stands between
 * the digits of a long number (docs/decisions/0065). Names and postal addresses stay readable.
 * @returns one line
 */
export function unlinked(text: string): string {
  return oneLine(text)
    .replaceAll(HIDDEN, '')
    .replaceAll(AT, ' @ ')
    .replaceAll(SCHEME, '$& ')
    .replaceAll(SLASHES, (slashes) => `${Array.from(slashes).join(' ')} `)
    .replaceAll(DOMAIN_DOT, '$& ')
    .replaceAll(DOTTED_NUMBERS, (numbers) => numbers.replaceAll(DOT_ALONE, '$& '))
    .replaceAll(PHONE, (digits) => digits.replaceAll(DIGIT_BEFORE_ANOTHER, `$&${NON_JOINER}`))
    .trim()
}
