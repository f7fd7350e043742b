import { defineService } from '@storefront/service'
import { OrdersConfig } from './config.ts'
import { startOrders } from './start.ts'

export const service = defineService('orders', OrdersConfig, startOrders)
