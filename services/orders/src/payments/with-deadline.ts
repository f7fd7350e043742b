import { ProviderUnavailable } from './provider.ts'

/** Longer than a provider's own deadlines: this catches a provider without any. */
const DEADLINE_MS = 12_000
/** Where a request waits for the provider: its caller gets the error before the gateway gives up after ten seconds. */
export const REQUEST_DEADLINE_MS = 7000

/** @throws ProviderUnavailable when the call takes too long */
export async function withDeadline<Result>(
  provider: string,
  call: () => Promise<Result>,
  deadlineMs: number = DEADLINE_MS,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new ProviderUnavailable(provider, new Error('no response in time'))),
    deadlineMs,
  )
  try {
    return await Promise.race([call(), promise])
  } finally {
    clearTimeout(timer)
  }
}
