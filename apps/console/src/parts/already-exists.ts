import { StorefrontError } from '@storefront/client'

/** Thrown instead of saving, because the shop would change the record that has this slug, code or name. */
export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists'
}

/** @returns whether the shop has the record that is being read */
export async function exists(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading
    return true
  } catch (error) {
    if (error instanceof StorefrontError && error.status === 404) return false
    throw error
  }
}

/** The message of the error about the field that names the record. */
export function takenFault(field: string, error: unknown): Record<string, string> {
  return error instanceof AlreadyExists ? { [field]: error.message } : {}
}
