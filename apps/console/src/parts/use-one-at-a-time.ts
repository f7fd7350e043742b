import type { UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/** @returns the mutation's function, which does nothing while one is under way: a second click comes before the button knows */
export function useOneAtATime<Data, Input>({
  mutateAsync,
}: Pick<UseMutationResult<Data, Error, Input>, 'mutateAsync'>): (input: Input) => void {
  const isRunning = useRef(false)
  return (input) => {
    if (isRunning.current) return
    isRunning.current = true
    const end = (): void => {
      isRunning.current = false
    }
    mutateAsync(input).then(end, end)
  }
}
