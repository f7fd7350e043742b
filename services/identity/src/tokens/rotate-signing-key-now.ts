import { sendSignal, transaction, type App } from '@storefront/chassis'
import { SigningKeysChanged, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { replaceSigningKeys, rotateSigningKey } from './rotate-signing-key.ts'

export function rotateSigningKeyRoute(app: App, { db, seals, messaging, clock, log }: Dependencies): void {
  app.post('/admin/signing-keys/rotate', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      tags: ['Admin: keys'],
      summary: 'Sign tokens with a new key',
      description:
        'The new key signs from two minutes on, and nobody is signed out; asked again before that, the answer is the ' +
        'same. With `revokePrevious`, for a key that leaked, it signs at once, and every token signed before is void: ' +
        'all customers and admins have to sign in again. Secret keys go on.',
      body: z.object({ revokePrevious: z.boolean().optional() }).nullish(),
      response: { 200: z.object({ kid: z.string(), signsFrom: Timestamp }) },
    },
    handler: async ({ body, id }) => {
      const revokePrevious = body?.revokePrevious === true
      const { kid, signsFrom } = await transaction(db, (tx) =>
        (revokePrevious ? replaceSigningKeys : rotateSigningKey)(tx, seals.signingKeys, clock.now()),
      )
      log.info({ kid, signsFrom, revokePrevious, requestId: id }, 'the signing key was rotated on demand')
      sendSignal(messaging, SigningKeysChanged, {})
      return { kid, signsFrom: signsFrom.toISOString() }
    },
  })
}
