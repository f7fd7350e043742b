import { defineService } from '@storefront/service'
import { CatalogConfig } from './config.ts'
import { startCatalog } from './start.ts'

export const service = defineService('catalog', CatalogConfig, startCatalog)
