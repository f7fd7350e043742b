import { z } from 'zod'
import { defineService, runService } from '@storefront/service'
import { OrdersConfig } from '../src/config.ts'
import { startOrders } from '../src/start.ts'
import { remoteProvider } from './refunding-provider.ts'

/** The service as it runs in production, with the provider of the test. */
const Config = OrdersConfig.extend({ SIMULATED_PROVIDER_URL: z.string() })
await runService(
  defineService('orders', Config, (config, log) =>
    startOrders(config, log, undefined, {
      providers: new Map([['demo', remoteProvider('demo', config.SIMULATED_PROVIDER_URL)]]),
    }),
  ),
)
