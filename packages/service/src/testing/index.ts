export { actorHeaders, createActorKeys } from './actors.ts'
export { waitFor } from './wait-for.ts'
