import type { z } from 'zod'
import { SHAPES } from './shapes.ts'
import { ContractViolation, type Operation } from './storefront-error.ts'

const BY_OPERATION = new Map<string, z.ZodType>(Object.entries(SHAPES))

/** Enough to find the problem, and few enough to read. */
const MAX_ISSUES = 10

/**
 * Compares the body of a successful response with the API description. Additional fields are not an error: the API may
 * grow.
 * @throws ContractViolation naming the operation and each field
 */
export function checkResponse(operation: Operation, body: unknown, requestId: string | undefined): void {
  const result = BY_OPERATION.get(`${operation.method} ${operation.path}`)?.safeParse(body)
  if (!result || result.success) return
  const issues = result.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
  throw new ContractViolation(operation, issues, requestId)
}
