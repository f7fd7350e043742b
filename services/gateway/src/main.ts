import { runService } from '@storefront/chassis'
import { GatewayConfig } from './config.ts'
import { startGateway } from './start.ts'

await runService('gateway', GatewayConfig, startGateway)
