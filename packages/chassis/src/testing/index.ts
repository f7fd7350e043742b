export * from './actors.ts'
export * from './browser-cookie.ts'
export * from './wait-for.ts'
