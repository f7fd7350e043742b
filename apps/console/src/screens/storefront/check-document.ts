import { StorefrontConfiguration } from '@storefront/contracts/storefront'
import { fieldSentence } from '../../messages/field-sentence.ts'
import type { Document } from './document.ts'

/** The rules of the shop's API, checked before a request is sent. @returns what is wrong, by path with dots */
export function checkDocument(document: Document): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const { path, message } of StorefrontConfiguration.safeParse(document).error?.issues ?? []) {
    faults[path.join('.')] ??= fieldSentence(message)
  }
  return faults
}
