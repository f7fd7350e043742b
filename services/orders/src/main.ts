import { runService } from '@storefront/chassis'
import { OrdersConfig } from './config.ts'
import { startOrders } from './start.ts'

await runService('orders', OrdersConfig, startOrders)
