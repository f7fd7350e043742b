import type { ResponseOf } from '@storefront/client'
import { queryOptions } from '@tanstack/react-query'
import { shop } from '../../../shop.ts'

export type Credential = ResponseOf<'GET /admin/credentials'>['items'][number]
export type CredentialKey = Credential['key']

export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: () => shop.get('/admin/credentials'),
})

/** The credentials in groups, such as those of one payment provider. */
export const GROUPS = [
  { name: 'stripe', keys: ['stripeSecretKey', 'stripeWebhookSecret'] },
  { name: 'razorpay', keys: ['razorpayKeySecret', 'razorpayWebhookSecret'] },
  { name: 'smtp', keys: ['smtpPassword'] },
  { name: 'storefront', keys: ['storefrontWebhookSecret'] },
] as const satisfies readonly { name: string; keys: readonly CredentialKey[] }[]
