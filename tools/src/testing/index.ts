export * from './suite.ts'
export { waitFor } from '@storefront/chassis/testing'
export { packageCache, type SharedServers } from './global-setup.ts'
