import { defineService } from '@storefront/service'
import { IdentityConfig } from './config.ts'
import { startIdentity } from './start.ts'

export const service = defineService('identity', IdentityConfig, startIdentity)
