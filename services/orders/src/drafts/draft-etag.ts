import { z } from 'zod'
import { draftChangedMeanwhile } from '../errors.ts'

/** The header of a write that must not overwrite changes of others. */
export const DraftHeaders = z.looseObject({
  'if-match': z
    .string()
    .optional()
    .describe(
      'The `ETag` of your last read: if the draft order has changed since then, the reply is 409 `conflict`. Without it, nothing is compared.',
    ),
})

export function etagOf({ version }: { version: number }): string {
  return `"${version}"`
}

/** @throws HttpError `conflict` when the header names another version */
export function requireVersion(headers: z.output<typeof DraftHeaders>, draft: { version: number }): void {
  const ifMatch = headers['if-match']?.trim()
  if (ifMatch === undefined || ifMatch === '*') return
  if (!ifMatch.split(',').some((tag) => tag.trim() === etagOf(draft))) throw draftChangedMeanwhile()
}
