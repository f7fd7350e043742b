import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { draftFaults } from './draft-faults.ts'
import { pricedPartOf, type DraftValues } from './draft-values.ts'
import { quoteQuery, type Draft } from './drafts-queries.ts'

const PRICED_AFTER_MS = 300

/**
 * What a draft costs, and what is wrong with it.
 * @param stored undefined while it is not shown as it is stored
 */
export function useDraftQuote(values: DraftValues, stored: Draft | undefined, isLocked: boolean) {
  const [priced] = useDebouncedValue(pricedPartOf(values), PRICED_AFTER_MS)
  const typed = useQuery(quoteQuery(isLocked || stored ? undefined : priced))
  // The total is still of use while a code is typed.
  const isCodeWrong = !stored && draftFaults(typed.error)['discountCode'] !== undefined
  const withoutCode = useQuery(quoteQuery(isCodeWrong && priced ? { ...priced, discountCode: '' } : undefined))
  if (stored) return { quote: stored.quote, problem: stored.problem }
  return { quote: isCodeWrong ? withoutCode.data : typed.data, problem: typed.error }
}
