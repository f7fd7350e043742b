import { generateKeyPairSync } from 'node:crypto'
import { PERMISSIONS, type Permission } from '@storefront/contracts'
import { actorSigner } from '../actor.ts'
import { systemClock } from '../clock.ts'

export interface ActorKeys {
  /** base64url of the SPKI DER, as in ACTOR_PUBLIC_KEY. */
  publicKey: string
  /** base64url of the PKCS #8 DER, as in ACTOR_PRIVATE_KEY. */
  privateKey: string
}

/** A fresh key pair for signing actors. */
export function createActorKeys(): ActorKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  }
}

/** Headers that make a service under test accept a caller, signed as the gateway signs. */
export function actorHeaders(keys: ActorKeys) {
  const sign = actorSigner(keys.privateKey, systemClock)
  return {
    anonymous: () => ({ 'x-actor': sign({ kind: 'anonymous' }) }),
    customer: (customerId: string, sessionId = 'sess_test') => ({
      'x-actor': sign({ kind: 'customer', customerId, sessionId }),
    }),
    /** A person who is signed in; `admin` is a secret key. */
    adminUser: (userId: string, permissions: readonly Permission[] = PERMISSIONS) => ({
      'x-actor': sign({ kind: 'admin', userId, sessionId: 'sess_test', permissions: [...permissions] }),
    }),
    admin: (permissions: readonly Permission[] = PERMISSIONS) => ({
      'x-actor': sign({ kind: 'admin', userId: 'user_test', permissions: [...permissions] }),
    }),
  }
}
