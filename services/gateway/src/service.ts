import { defineService } from '@storefront/chassis'
import { GatewayConfig } from './config.ts'
import { startGateway } from './start.ts'

export const service = defineService('gateway', GatewayConfig, startGateway)
