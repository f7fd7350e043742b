export { actorHeaders, createActorKeys } from './actors.ts'
export { waitFor } from './wait-for.ts'
export { manualClock } from '../clock.ts'
export { startTracing } from '../tracing/start-tracing.ts'
