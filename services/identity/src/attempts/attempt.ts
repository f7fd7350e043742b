const MINUTE_MS = 60_000

/** How many may fail within the window before further ones are refused unseen. */
export const ATTEMPTS_ALLOWED = { customer_password: 20, admin_password: 20, second_factor: 5 } as const
export const ATTEMPTS_WINDOW_MS = 15 * MINUTE_MS

/** A try at a secret that somebody could guess. */
export interface Attempt {
  kind: keyof typeof ATTEMPTS_ALLOWED
  /** Whose secret it is: the e-mail address as it was typed, or the user's id. There need be nobody of that name. */
  of: string
}

export type Verdict =
  | { allowed: true }
  /** `isFirst` is the first that was refused after some that were not. */
  | { allowed: false; isFirst: boolean; retryAfterSeconds: number }
