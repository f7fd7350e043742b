import { runService } from '@storefront/service'
import { service } from './start.ts'

await runService(service)
