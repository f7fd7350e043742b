interface Lease {
  everyMs: number
  renew: () => Promise<unknown>
  /** Gets the error of a renewal. The work goes on: if all renewals fail, another process may begin it, too. */
  failed: (error: unknown) => void
}

/** Does work while its lease is renewed. @returns the result of the work @throws its error */
export async function underLease<Result>(
  { everyMs, renew, failed }: Lease,
  work: () => Promise<Result>,
): Promise<Result> {
  const renewing = setInterval(() => void renew().catch(failed), everyMs)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
  }
}
