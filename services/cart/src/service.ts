import { defineService } from '@storefront/service'
import { CartConfig } from './config.ts'
import { startCart } from './start.ts'

export const service = defineService('cart', CartConfig, startCart)
