import { runService } from '@storefront/chassis'
import { IdentityConfig } from './config.ts'
import { startIdentity } from './start.ts'

await runService('identity', IdentityConfig, startIdentity)
