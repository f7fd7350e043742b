export * from './actors.ts'
export * from './wait-for.ts'
