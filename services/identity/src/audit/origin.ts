import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { ActorVerifier } from '@storefront/service'

const MAX_USER_AGENT_LENGTH = 200

/** The origin of a request, as far as it can be trusted. */
export interface Origin {
  address: string
  userAgent: string | null
  requestId: string
}

export interface SentRequest {
  id: string
  ip: string
  headers: IncomingHttpHeaders
  actorToken: string | undefined
}

/** The gateway signs every request, with its origin; for an unsigned request the address of the socket is used. */
export function originOf(request: SentRequest, verifyActor: ActorVerifier): Origin {
  const { headers, id, ip, actorToken } = request
  const forwarded = headers['x-forwarded-for']
  const isFromGateway = verifyActor(actorToken) !== undefined
  const believed = isFromGateway && typeof forwarded === 'string' && isIP(forwarded) !== 0
  const userAgent = headers['user-agent']?.replaceAll(/\p{Cc}/gu, ' ').slice(0, MAX_USER_AGENT_LENGTH)
  return { address: believed ? forwarded : ip, userAgent: userAgent?.toWellFormed() ?? null, requestId: id }
}
