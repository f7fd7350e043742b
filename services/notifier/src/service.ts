import { defineService } from '@storefront/service'
import { NotifierConfig } from './config.ts'
import { startNotifier } from './start.ts'

export const service = defineService('notifier', NotifierConfig, startNotifier)
