export * from './suite.ts'
export { expectLedgerBalanced } from './ledger.ts'
export { waitFor } from '@storefront/chassis/testing'
export { packageCache, type SharedServers } from './global-setup.ts'
