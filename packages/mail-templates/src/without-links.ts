import { oneLine } from './words.ts'

/** Characters that browsers and mail programs read as the dot of a domain. */
const DOT = '[.\\u2024\\u3002\\uff0e\\uff61]'
/**
 * Invisible characters, which could hide a domain from the expressions below. Between two letters, joiners belong to
 * names.
 */
const HIDDEN =
  /(?<!\p{L}\p{M}*)[\u200c\u200d]|[\u200c\u200d](?!\p{L})|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu
const AT = /\s*[@\ufe6b\uff20]\s*/gu
const SCHEME = /(?<=\p{L}\p{M}*)[:\uff1a](?=\S)/gu
const SLASHES = /[/\\\uff0f\uff3c]{2,}/gu
const DOMAIN_DOT = new RegExp(`${DOT}(?=[\\p{L}\\p{M}])`, 'gu')
const DOT_ALONE = new RegExp(DOT, 'gu')
/** An IP address becomes a link as well. A number with a decimal point does not. */
const DOTTED_NUMBERS = new RegExp(`\\d+(?:${DOT}\\d+){2,}`, 'gu')
/** Seven digits or more, with the separators of a phone number. */
const PHONE = /\p{Nd}(?:[\s().\-‐-―/]*\p{Nd}){6,}/gu
const DIGIT_BEFORE_ANOTHER = /\p{Nd}(?=.*\p{Nd})/gu
/** Without width. Android's search for phone numbers reads across other characters of this kind. */
const NON_JOINER = '\u200c'

/**
 * Text of a buyer as mails show it. Mail programs make links of text that looks like one, in plain text as in HTML: of
 * web addresses, mail addresses and phone numbers. A space is inserted where a link would begin, and a character
 * without width between the digits of a long number (docs/decisions/0065). Names and postal addresses stay readable.
 * @returns one line
 */
export function withoutLinks(text: string): string {
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
