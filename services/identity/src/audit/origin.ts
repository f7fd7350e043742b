import { clientAddressOf, type SentRequest } from '@storefront/http'
import type { ActorVerifier } from '@storefront/service'

const MAX_USER_AGENT_LENGTH = 200

/** The origin of a request, as far as it can be trusted. */
export interface Origin {
  address: string
  userAgent: string | null
  requestId: string
}

export function originOf(request: SentRequest, verifyActor: ActorVerifier): Origin {
  const userAgent = request.headers['user-agent']?.replaceAll(/\p{Cc}/gu, ' ').slice(0, MAX_USER_AGENT_LENGTH)
  return {
    address: clientAddressOf(request, verifyActor),
    userAgent: userAgent?.toWellFormed() ?? null,
    requestId: request.id,
  }
}
