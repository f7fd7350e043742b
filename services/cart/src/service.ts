import { defineService } from '@storefront/chassis'
import { CartConfig } from './config.ts'
import { startCart } from './start.ts'

export const service = defineService('cart', CartConfig, startCart)
