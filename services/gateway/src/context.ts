import type { ActorSigner, Clock, Log, RedisClient } from '@storefront/service'
import type { Messaging } from '@storefront/messaging'
import type { PipelineParts } from './front/request-pipeline.ts'
import type { LiveUpdates } from './live-updates/live-updates.ts'
import type { IdentifyCaller } from './sessions/identify-caller.ts'
import type { SessionState } from './sessions/session-state.ts'
import type { SigningKeys } from './sessions/signing-keys.ts'
import type { StrictLimits } from './upstream/admit.ts'
import type { Upstreams } from './upstream/upstreams.ts'

/** The dependencies of the gateway's hooks and routes; each names the part that it needs. */
export interface GatewayContext extends PipelineParts {
  redis: RedisClient
  messaging: Messaging
  log: Log
  clock: Clock
  /** The path of the shop below its address; empty for none. */
  basePath: string
  /** How many proxies are in front, 0 for none. */
  trustedProxies: number
  /** Origins of the storefronts. */
  storefronts: readonly string[]
  upstreams: Upstreams
  sign: ActorSigner
  limits: StrictLimits
  keys: SigningKeys
  sessions: SessionState
  identifyCaller: IdentifyCaller
  updates: LiveUpdates
}
