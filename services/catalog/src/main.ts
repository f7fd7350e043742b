import { runService } from '@storefront/chassis'
import { CatalogConfig } from './config.ts'
import { startCatalog } from './start.ts'

await runService('catalog', CatalogConfig, startCatalog)
