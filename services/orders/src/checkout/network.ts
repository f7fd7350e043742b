import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { clientNetwork, type ActorVerifier } from '@storefront/chassis'

/** The network that a request came from: what the gateway says, which signs every request, or else the socket. */
export function networkOf(request: FastifyRequest, verifyActor: ActorVerifier): string {
  const forwarded = request.headers['x-forwarded-for']
  const isFromGateway = verifyActor(request.actorToken) !== undefined
  const believed = isFromGateway && typeof forwarded === 'string' && isIP(forwarded) !== 0
  return clientNetwork(believed ? forwarded : request.ip)
}
