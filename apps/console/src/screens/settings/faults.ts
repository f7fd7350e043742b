import { StorefrontError } from '@storefront/client'
import { fieldSentence } from '../../messages/field-sentence.ts'
import { member } from '../../parts/json.ts'

/** @returns what the shop says about single fields, by their paths */
export function faultsOf(error: unknown): Record<string, string> {
  const issues = error instanceof StorefrontError ? member(error.detail, 'issues') : undefined
  return Array.isArray(issues) ? Object.fromEntries(issues.flatMap(faultIn)) : {}
}

function faultIn(issue: unknown): [string, string][] {
  const path = member(issue, 'path')
  const message = member(issue, 'message')
  return typeof path === 'string' && typeof message === 'string' ? [[path, fieldSentence(message)]] : []
}
