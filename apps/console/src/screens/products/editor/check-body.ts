import { ProductPatch } from '@storefront/contracts/product-patch'
import { fieldSentence } from '../../../messages/field-sentence.ts'
import type { Issues } from './issues.ts'

/** The rules of the shop's API, checked before a request is sent. */
export function checkBody(body: unknown): Issues {
  const issues: Record<string, string> = {}
  for (const { path, message } of ProductPatch.safeParse(body).error?.issues ?? []) {
    issues[path.join('.')] ??= fieldSentence(message)
  }
  return issues
}
