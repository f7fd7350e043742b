import type { ResponseOf } from '@storefront/client'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { shop } from '../../shop.ts'
import type { Document } from './document.ts'

export type Version = ResponseOf<'GET /admin/storefront/versions'>['items'][number]

/** The configuration as it is stored. */
export const storefrontQuery = queryOptions({
  queryKey: ['storefront-document'],
  queryFn: ({ signal }): Promise<Document> => shop.get('/admin/storefront', { signal }),
  // While it is edited it must not change by itself; a save finds out whether someone else saved first.
  staleTime: Infinity,
  refetchOnMount: 'always',
})

export const versionsQuery = (page: number) =>
  queryOptions({
    queryKey: ['storefront-versions', page],
    queryFn: ({ signal }) => shop.get('/admin/storefront/versions', { params: { query: { page } }, signal }),
    placeholderData: keepPreviousData,
  })

/** A version with its content, which never changes. */
export const versionQuery = (version: string) =>
  queryOptions({
    queryKey: ['storefront-version', version],
    queryFn: ({ signal }) =>
      shop.get('/admin/storefront/versions/{version}', { params: { path: { version } }, signal }),
    staleTime: Infinity,
  })

export function versionOf(document: Document): number {
  const { version } = document
  return typeof version === 'number' ? version : 0
}

const etagOf = (document: Document): string => `"${versionOf(document)}"`

/** @returns the number of the new version */
export async function saveStorefront(change: Document, read: Document): Promise<number> {
  const params = { header: { 'if-match': etagOf(read) } }
  return versionOf(await shop.patch('/admin/storefront', { body: { ...change }, params }))
}

/** Sets a part back to its default. @returns the number of the new version */
export async function deleteSetting(path: string, read: Document): Promise<number> {
  const params = { path: { path }, header: { 'if-match': etagOf(read) } }
  return versionOf(await shop.delete('/admin/storefront/{path}', { params }))
}

/** @param current the version in force, as far as the person knows. @returns the number of the new version */
export async function restoreVersion(version: number, current: number): Promise<number> {
  const params = { path: { version: String(version) }, header: { 'if-match': `"${current}"` } }
  return versionOf(await shop.post('/admin/storefront/versions/{version}/restore', { params }))
}

/** Everything that shows a part of the configuration. */
const AFFECTED = new Set<unknown>(['storefront-document', 'storefront-versions', 'shop-settings'])

export async function refreshStorefront(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ predicate: ({ queryKey }) => AFFECTED.has(queryKey[0]) })
}
