export { actorSigner, type ActorSigner, type ActorVerifier, actorVerifier } from './actor.ts'
export { canonicalJson } from './canonical-json.ts'
export { chunksOf } from './chunks.ts'
export { type Clock, systemClock } from './clock.ts'
export { ConfigurationError, DatabaseServiceConfig, readConfig, ServiceConfig } from './config.ts'
export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts'
export { createEncryption, type Encryption, type SecretsKeys } from './encryption.ts'
export { errorCode } from './error-code.ts'
export { DependencyUnavailable, HttpError, waitInWords } from './http-error.ts'
export {
  defineService,
  type RunningService,
  runService,
  runServices,
  type ServiceDefinition,
  type ServicePlan,
  startServices,
} from './lifecycle.ts'
export { createLinkTokens, invalidToken, type LinkTokens } from './link-tokens.ts'
export { createLog, type Log, openLogFile } from './log.ts'
export { databaseConnections, databaseWaiting, natsConnected } from './metrics/connection-metrics.ts'
export { liveGauge } from './metrics/live-gauge.ts'
export { readAtScrape, scrapedGauge } from './metrics/read-at-scrape.ts'
export { counter, histogram, SECONDS } from './metrics/registry.ts'
export { createRedis, type SentinelAddress, sentinelAddress } from './create-redis.ts'
export { openRedis, type RedisClient, serverRunOf } from './redis.ts'
export { currentRequestId, isWellFormedRequestId, withRequestId } from './request-context.ts'
export { announceStop } from './announce-stop.ts'
export { idempotencyMismatch, invalidEmail, tooManyWaiting } from './shared-errors.ts'
export { decryptSecret, needsReencryption, type StoredSecret, storeSecret } from './stored-secret.ts'
export { type ConcurrencyLimit, limitConcurrency } from './limit-concurrency.ts'
export { failureLog } from './failure-log.ts'
export { shareReads } from './share-reads.ts'
export { every, type Registered, type Stoppable, type Timer } from './timer.ts'
export {
  activeSpan,
  failSpan,
  inSpan,
  isTracing,
  sampledTraceId,
  type Span,
  SpanKind,
  SpanStatusCode,
  startChild,
  startSpan,
  traced,
  tracedRoot,
  tracedBatch,
} from './tracing/spans.ts'
export { linksTo, parentFrom, sampledTraceparent, traceHeaders, TRACEPARENT_HEADER } from './tracing/trace-context.ts'
