import { runService } from '@storefront/chassis'
import { service } from './service.ts'

await runService(service)
