import { StorefrontError } from '@storefront/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Over } from '../../../parts/form-dialog.tsx'
import { ReauthenticationDialog } from './reauthentication-dialog.tsx'
import type { Reauthentication } from './reauthentication.ts'

interface ConfirmedRequestOptions<Input, Result> {
  run: (input: Input, confirmation: Reauthentication) => Promise<Result>
  onDone: (result: Result, input: Input) => void
}

/** All but `start` are properties of the dialog with the form. */
export interface ConfirmedRequest<Input> {
  start: (input: Input) => void
  isPending: boolean
  /** Why the request failed, other than by a missing or wrong password. */
  error: unknown
  /** Shown over the form while the shop requires the password. */
  over: Over
}

/**
 * A request for which the shop may require the password. The first attempt has none: the shop decides whether one is
 * needed, and this hook shows a dialog for it.
 */
export function useConfirmedRequest<Input, Result>({
  run,
  onDone,
}: ConfirmedRequestOptions<Input, Result>): ConfirmedRequest<Input> {
  const [unconfirmed, setUnconfirmed] = useState<{ input: Input }>()
  const mutation = useMutation({
    mutationFn: ({ input, confirmation }: { input: Input; confirmation: Reauthentication }) => run(input, confirmation),
    onSuccess: (result, { input }) => {
      setUnconfirmed(undefined)
      onDone(result, input)
    },
    onError: (error, { input, confirmation }) =>
      setUnconfirmed(isReauthenticationError(error, confirmation) ? { input } : undefined),
  })
  return {
    start: (input) => mutation.mutate({ input, confirmation: {} }),
    isPending: mutation.isPending && unconfirmed === undefined,
    error: unconfirmed === undefined ? mutation.error : null,
    over: {
      opened: unconfirmed !== undefined,
      dialog: (
        <ReauthenticationDialog
          opened={unconfirmed !== undefined}
          error={unconfirmed === undefined ? null : mutation.error}
          isPending={mutation.isPending}
          onConfirm={(confirmation) => unconfirmed && mutation.mutate({ input: unconfirmed.input, confirmation })}
          onClose={() => {
            setUnconfirmed(undefined)
            mutation.reset()
          }}
        />
      ),
    },
  }
}

/** @param confirmation what was sent */
function isReauthenticationError(error: unknown, confirmation: Reauthentication): boolean {
  if (!(error instanceof StorefrontError)) return false
  if (error.code === 'missing_credentials') return true
  // With a password it means too many wrong passwords, not too many requests.
  if (error.code === 'rate_limited') return confirmation.currentPassword !== undefined
  return error.code === 'invalid_credentials'
}
