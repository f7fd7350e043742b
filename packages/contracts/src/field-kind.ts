// In a separate file, because the console loads it without the schemas.

/**
 * What is wrong with a field: rules of zod, in its words and in those of the shop (packages/http/src/issue-words.ts),
 * and the shop's own rules that merchants meet in a form. Their messages come without a code. The first kind whose
 * expression matches counts; what its group in parentheses matches becomes part of the sentence.
 */
const KINDS = {
  privateAddress: /^must not lead to a private address$/,
  address: /^Invalid URL$|^must be a valid URL$|^must be an http|^must have a (?:host|valid port)$/,
  email: /^Invalid email address$|^must be a valid email address$/,
  withinDays: /must be within (\d+) days\b/,
  future: /^must be in the future$/,
  order: /^must be after startsAt$/,
  sameTime: /^must not be the time of publishAt$/,
  missing:
    /^(?:must not be blank|must not be empty|must be given|is missing)\b|, received undefined$|string to have >=1 characters$/,
  tooShort: /string to have >=(\d+) characters$|^must have at least ([\d,]+) characters$/,
  tooLong: /string to have <=(\d+) characters$|^must have at most ([\d,]+) characters?$/,
  none: /array to have >=1 items$|^must have at least 1 item$|^must name at least one permission$/,
  tooFew: /array to have >=(\d+) items$|^must have at least (\d+) items$/,
  tooMany: /array to have <=(\d+) items$|^must have at most (\d+) items?$|^must not hold more than (\d+) sections$/,
  atLeast: /^Too small: expected \w+ to be >=(\S+)$|^must be at least (-?[\d.]+)$/,
  moreThan: /^Too small: expected \w+ to be >(\S+)$|^must be more than (-?[\d.]+)$/,
  atMost: /^Too big: expected \w+ to be <=(\S+)$|^must be at most (-?[\d.]+)$|^must not exceed (\d+)\b/,
  whole: /^Invalid input: expected int\b|^must be a whole number$/,
  number: /^Invalid input: expected number\b|^must be a number\b/,
  choice: /^Invalid option: |^must be one of /,
  unknown: /^there is no (?:category|product|size chart) (\S+)$|^Unknown (?:category|product) `([^`]+)`/,
  unknownField: /^Unknown field |^Unrecognized key/,
  slug: /^must be lower-case letters, digits and single hyphens$/,
  currency: /^must be in ([A-Z]{3}), the currency of the store$/,
  country: /^must be an ISO 3166-1 alpha-2 code /,
  webhookSecret: /^must be `whsec_` /,
  secret: /^is a secret, /,
}

export const FIELD_KINDS = Object.keys(KINDS)

/** @returns undefined for a message that says something else */
export function fieldKindOf(message: string): { kind: string; value: string } | undefined {
  for (const [kind, pattern] of Object.entries(KINDS)) {
    const match = pattern.exec(message)
    if (match) return { kind, value: match.slice(1).find((part) => part !== undefined) ?? '' }
  }
  return undefined
}
