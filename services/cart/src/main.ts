import { runService } from '@storefront/chassis'
import { CartConfig } from './config.ts'
import { startCart } from './start.ts'

await runService('cart', CartConfig, startCart)
