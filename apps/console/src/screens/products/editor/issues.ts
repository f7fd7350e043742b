import { StorefrontError } from '@storefront/client'
import { fieldSentence } from '../../../messages/field-sentence.ts'
import { member } from '../../../parts/json.ts'
import { messageOf } from '../../../shop.ts'

/** What is wrong with a field, by its path in the request: `variants.3.sku`. */
export type Issues = Readonly<Record<string, string>>

/** @returns the issues that the shop found; undefined when the error is about something else */
export function issuesOf(error: unknown): Issues | undefined {
  if (!(error instanceof StorefrontError)) return undefined
  if (error.code === 'slug_taken') return { slug: messageOf(error) }
  const found = member(error.detail, 'issues')
  if (!Array.isArray(found)) return undefined
  const issues: Record<string, string> = {}
  for (const issue of found) if (isIssue(issue)) issues[issue.path] ??= fieldSentence(issue.message)
  return Object.keys(issues).length === 0 ? undefined : issues
}

/** @returns the SKU that another product has; undefined when the error is about something else */
export function takenSkuOf(error: unknown): string | undefined {
  if (!(error instanceof StorefrontError) || error.code !== 'sku_taken') return undefined
  const sku = member(error.detail, 'sku')
  return typeof sku === 'string' ? sku : undefined
}

function isIssue(value: unknown): value is { path: string; message: string } {
  return typeof member(value, 'path') === 'string' && typeof member(value, 'message') === 'string'
}
