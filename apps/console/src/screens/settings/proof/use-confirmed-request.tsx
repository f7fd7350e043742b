import { StorefrontError } from '@storefront/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Over } from '../../../parts/form-dialog.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import type { Proof } from './proof.ts'

interface ConfirmedRequestOptions<Input, Result> {
  run: (input: Input, proof: Proof) => Promise<Result>
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
  const [unproven, setUnproven] = useState<{ input: Input }>()
  const mutation = useMutation({
    mutationFn: ({ input, proof }: { input: Input; proof: Proof }) => run(input, proof),
    onSuccess: (result, { input }) => {
      setUnproven(undefined)
      onDone(result, input)
    },
    onError: (error, { input, proof }) => setUnproven(isAboutProof(error, proof) ? { input } : undefined),
  })
  return {
    start: (input) => mutation.mutate({ input, proof: {} }),
    isPending: mutation.isPending && unproven === undefined,
    error: unproven === undefined ? mutation.error : null,
    over: {
      opened: unproven !== undefined,
      dialog: (
        <ProofDialog
          opened={unproven !== undefined}
          error={unproven === undefined ? null : mutation.error}
          isPending={mutation.isPending}
          onConfirm={(proof) => unproven && mutation.mutate({ input: unproven.input, proof })}
          onClose={() => {
            setUnproven(undefined)
            mutation.reset()
          }}
        />
      ),
    },
  }
}

/** @param proof what was sent */
function isAboutProof(error: unknown, proof: Proof): boolean {
  if (!(error instanceof StorefrontError)) return false
  if (error.code === 'missing_credentials') return true
  // With a password it means too many wrong passwords, not too many requests.
  if (error.code === 'rate_limited') return proof.currentPassword !== undefined
  return error.code === 'invalid_credentials'
}
