/** The remaining quota of a limit after the current request. */
export interface Allowance {
  limit: number
  remaining: number
  resetSeconds: number
  exceeded: boolean
}

export function allowanceOf(limit: number, count: number, resetMs: number): Allowance {
  return {
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)),
    exceeded: count > limit,
  }
}

export function allowanceHeaders({ limit, remaining, resetSeconds }: Allowance): string[] {
  return [
    'ratelimit-limit',
    String(limit),
    'ratelimit-remaining',
    String(remaining),
    'ratelimit-reset',
    String(resetSeconds),
  ]
}
