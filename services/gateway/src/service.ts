import { defineService } from '@storefront/service'
import { GatewayConfig } from './config.ts'
import { startGateway } from './start.ts'

export const service = defineService('gateway', GatewayConfig, startGateway)
