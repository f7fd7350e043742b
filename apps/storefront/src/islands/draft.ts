import { DRAFT, LEFT } from './keys.ts'
import { read } from './storage.ts'

/** What was typed into the checkout, by the names of its fields. */
export type Draft = Record<string, string>

/** @returns undefined without a draft, and for one that is older than the last sign-out in any tab */
export function readDraft(): Draft | undefined {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(DRAFT) ?? 'null')
    if (typeof draft !== 'object' || draft === null) return undefined
    const { left = '', ...values }: Draft = Object.fromEntries(
      Object.entries(draft).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
    return left === lastLeft() ? values : undefined
  } catch {
    return undefined
  }
}

/** Private windows and a full storage throw: the checkout then works without a draft. */
export function writeDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify({ ...draft, left: lastLeft() }))
  } catch {
    // As above.
  }
}

const lastLeft = (): string => read(LEFT) ?? ''
