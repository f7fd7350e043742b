import { fieldKindOf } from '@storefront/contracts/field-kind'
import i18next, { exists, t } from 'i18next'

/**
 * Messages that have a sentence in English too: those of zod, in its own words or in those of the shop
 * (packages/http/src/issue-words.ts), speak of types, and some of the shop name fields as the API does.
 */
const FOR_DEVELOPERS = new RegExp(
  [
    '^(?:Invalid|Too big|Too small|Unrecognized)\\b',
    '^is missing$',
    '^must not be empty$',
    '^must have (?:at least|at most|exactly) \\d+ (?:character|item)s?$',
    '^must be (?:at least|at most|more than|less than|exactly) -?[\\d.]+$',
    '^must be (?:a whole number|a number|a string|true or false|an array|an object|null)(?:, not .+)?$',
    '^must be (?:one of )?"',
    '^must be after startsAt$',
    '^must not be the time of publishAt$',
    '^must match the pattern ',
    '^has (?:a name|none of the forms) ',
  ].join('|'),
)

/**
 * @param message about a field, in English: of the shop, or of a check of its rules here
 * @param otherwise for a message without a sentence of its own; a general sentence by default
 * @returns the sentence of the language for what is wrong; the message where the language has none
 */
export function fieldSentence(message: string, otherwise?: string): string {
  if (!exists('fields.other')) return message
  if (i18next.language === 'en' && !FOR_DEVELOPERS.test(message)) return asSentence(message)
  const found = fieldKindOf(message)
  return found ? t(`fields.${found.kind}`, { value: found.value }) : (otherwise ?? t('fields.other'))
}

function asSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.?!]$/.test(text) ? text : `${text}.`
}
