import type { z } from 'zod'

/** Reports lines that occur twice in a request. For `superRefine` of a list of lines. */
export function requireDistinctLines(lines: readonly { lineId: string }[], context: z.RefinementCtx): void {
  lines.forEach(({ lineId }, index) => {
    if (lines.findIndex((other) => other.lineId === lineId) < index)
      context.addIssue({ code: 'custom', path: [index, 'lineId'], message: 'must differ from the other lines' })
  })
}
