import { z } from 'zod'
import type { Encryption } from '@storefront/service'

const StoredResponse = z.object({ body: z.record(z.string(), z.unknown()), accessToken: z.string().optional() })

/** A response as it is sent, with its access token at the end whether it is new or stored. */
export function textOf(response: object): string {
  const { token, body } = withoutToken(response)
  return JSON.stringify(token === undefined ? body : { ...body, accessToken: token })
}

/** A response as it is stored: its access token encrypted, or left out without an encryption key. */
export function encryptResponse(encryption: Encryption | undefined, id: Buffer, response: object): string {
  const { token, body } = withoutToken(response)
  return JSON.stringify({
    body,
    ...(token === undefined || encryption === undefined
      ? {}
      : { accessToken: encryption.encrypt(token, id.toString('hex')) }),
  })
}

/** @returns the response without its access token, and that token if it was stored and can be decrypted */
export function decryptResponse(
  encryption: Encryption | undefined,
  id: Buffer,
  kept: string,
): { body: Record<string, unknown>; accessToken: string | undefined } {
  const { body, accessToken: encrypted } = StoredResponse.parse(JSON.parse(kept))
  if (encrypted === undefined || encryption === undefined) return { body, accessToken: undefined }
  try {
    return { body, accessToken: encryption.decrypt(encrypted, id.toString('hex')) }
  } catch {
    // Encrypted under a key that is gone: the caller gets a new token.
    return { body, accessToken: undefined }
  }
}

function withoutToken(response: object): { token: string | undefined; body: Record<string, unknown> } {
  const { accessToken, ...body } = z.record(z.string(), z.unknown()).parse(response)
  return { token: typeof accessToken === 'string' ? accessToken : undefined, body }
}
