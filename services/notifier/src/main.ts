import { runService } from '@storefront/chassis'
import { NotifierConfig } from './config.ts'
import { startNotifier } from './start.ts'

await runService('notifier', NotifierConfig, startNotifier)
