import { z } from 'zod'
import type { Seal } from '@storefront/chassis'

const Kept = z.object({ body: z.record(z.string(), z.unknown()), accessToken: z.string().optional() })

/** An answer as it is sent, with its access token at the end whether it comes from the work or from what was kept. */
export function textOf(answer: object): string {
  const { token, body } = apart(answer)
  return JSON.stringify(token === undefined ? body : { ...body, accessToken: token })
}

/** An answer as it is kept: its access token sealed, or left out where there is nothing to seal it with. */
export function toKeep(seal: Seal | undefined, id: Buffer, answer: object): string {
  const { token, body } = apart(answer)
  return JSON.stringify({
    body,
    ...(token === undefined || seal === undefined ? {} : { accessToken: seal.close(token, id.toString('hex')) }),
  })
}

/** @returns the answer without its access token, and that token if it was kept and can be opened */
export function openKept(
  seal: Seal | undefined,
  id: Buffer,
  kept: string,
): { body: Record<string, unknown>; accessToken: string | undefined } {
  const { body, accessToken: sealed } = Kept.parse(JSON.parse(kept))
  if (sealed === undefined || seal === undefined) return { body, accessToken: undefined }
  try {
    return { body, accessToken: seal.open(sealed, id.toString('hex')) }
  } catch {
    // Sealed under a key that is gone: the caller gets a new token.
    return { body, accessToken: undefined }
  }
}

function apart(answer: object): { token: string | undefined; body: Record<string, unknown> } {
  const { accessToken, ...body } = z.record(z.string(), z.unknown()).parse(answer)
  return { token: typeof accessToken === 'string' ? accessToken : undefined, body }
}
