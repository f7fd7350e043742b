import { defineService } from '@storefront/chassis'
import { CatalogConfig } from './config.ts'
import { startCatalog } from './start.ts'

export const service = defineService('catalog', CatalogConfig, startCatalog)
