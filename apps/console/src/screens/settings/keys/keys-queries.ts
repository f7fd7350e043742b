import type { ResponseOf } from '@storefront/client'
import { queryOptions } from '@tanstack/react-query'
import { shop } from '../../../shop.ts'

export type ApiKey = ResponseOf<'GET /admin/api-keys'>['items'][number]
export type SigningKey = ResponseOf<'GET /admin/signing-keys'>['items'][number]

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: () => shop.get('/admin/api-keys'),
})

export const signingKeysQuery = queryOptions({
  queryKey: ['signing-keys'],
  queryFn: () => shop.get('/admin/signing-keys'),
})
