import { StorefrontError } from '@storefront/client'
import { fieldSentence } from '../../messages/field-sentence.ts'

/** @returns what the shop says about single fields, by their paths */
export function faultsOf(error: unknown): Record<string, string> {
  if (!(error instanceof StorefrontError)) return {}
  const { detail } = error
  if (typeof detail !== 'object' || detail === null || !('issues' in detail) || !Array.isArray(detail.issues)) return {}
  const issues: unknown[] = detail.issues
  return Object.fromEntries(issues.flatMap(faultIn))
}

function faultIn(issue: unknown): [string, string][] {
  if (typeof issue !== 'object' || issue === null || !('path' in issue) || !('message' in issue)) return []
  return [[String(issue.path), fieldSentence(String(issue.message))]]
}
