import { StorefrontError } from '@storefront/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Over } from '../../../parts/form-dialog.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import type { Proof } from './proof.ts'

interface DeedOptions<Input, Result> {
  run: (input: Input, proof: Proof) => Promise<Result>
  onDone: (result: Result, input: Input) => void
}

export interface Deed<Input> {
  start: (input: Input) => void
  isPending: boolean
  /** Why it was not done, beside a missing or wrong password. */
  error: unknown
  /** Shown over the form while the shop requires the password. */
  over: Over
  reset: () => void
}

/** A change that the shop may want to have confirmed with the password: it decides that, so the first attempt has none. */
export function useDeed<Input, Result>({ run, onDone }: DeedOptions<Input, Result>): Deed<Input> {
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
    reset: mutation.reset,
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
  // Too many wrong passwords, not too many requests.
  if (error.code === 'rate_limited') return proof.currentPassword !== undefined
  return error.code === 'invalid_credentials'
}
