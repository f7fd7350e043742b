import { exists, t } from 'i18next'

/**
 * @param message of the API, in English
 * @returns the sentence of the language for an error code; the message where the language has none
 */
export function errorSentence(code: string, message: string): string {
  return exists(`errors.${code}`) ? t(`errors.${code}`, { message }) : message
}
