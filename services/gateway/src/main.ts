import { runService } from '@storefront/service'
import { service } from './service.ts'

await runService(service)
