import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'

/** The part of a query that matters here. */
interface Query {
  /** Whether it has an error and no data. */
  isLoadingError: boolean
  error: Error | null
  refetch: () => Promise<unknown>
}

interface LoadingStateProps {
  queries: readonly Query[]
  /** Shown until everything is read. */
  waiting?: ReactNode
}

/**
 * Shown in place of a screen whose data is not read yet. A screen with data stays when a later read fails: what was typed
 * in it would be lost.
 */
export function LoadingState({ queries, waiting = <Skeleton height={400} /> }: LoadingStateProps): ReactNode {
  const failed = queries.filter(({ isLoadingError }) => isLoadingError)
  if (failed.length === 0) return waiting
  return (
    <ErrorState error={failed[0]?.error} onRetry={() => void Promise.all(failed.map(({ refetch }) => refetch()))} />
  )
}
