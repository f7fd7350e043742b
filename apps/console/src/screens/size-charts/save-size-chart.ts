import { t } from 'i18next'
import { AlreadyExists } from '../../parts/already-exists.ts'
import { ifMatch } from '../../parts/edit-conflict.ts'
import { noticeDone, noticeUndo, succeeds } from '../../parts/notices.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { bodyOf, valuesOf, type SizeChartValues } from './size-chart-values.ts'
import { sizeChartsQuery, type SizeChart } from './size-charts-queries.ts'

/** @throws AlreadyExists when there is a size chart of this name */
export async function createSizeChart(values: SizeChartValues): Promise<void> {
  const { items } = await queryClient.fetchQuery({ ...sizeChartsQuery, staleTime: 0 })
  const body = bodyOf(values)
  if (items.some(({ id }) => id === body.id)) throw new AlreadyExists(t('sizeCharts.fault.taken'))
  await shop.post('/admin/size-charts', { body })
  await refresh()
  noticeDone(t('sizeCharts.created', { name: body.id }))
}

/** Saves a size chart, with a notice to undo it. */
export async function changeSizeChart(before: SizeChartValues, after: SizeChartValues): Promise<SizeChartValues> {
  const saved = await save(after, before.etag)
  const name = after.id
  noticeUndo(t('sizeCharts.saved', { name }), () => save(before, saved.etag), t('sizeCharts.restored', { name }))
  return saved
}

/** Deletes a size chart. One that no product uses can be brought back. */
export async function deleteSizeChart(chart: SizeChart): Promise<void> {
  const { id, productCount, etag } = chart
  const isDeleted = await succeeds(
    shop.delete('/admin/size-charts/{id}', { params: { path: { id }, ...ifMatch(etag) } }),
  )
  void refresh()
  if (!isDeleted) return
  if (productCount > 0) return noticeDone(t('sizeCharts.deleted', { name: id }))
  const undone = t('sizeCharts.restored', { name: id })
  noticeUndo(t('sizeCharts.deleted', { name: id }), () => save(valuesOf(chart), ''), undone)
}

async function save(values: SizeChartValues, etag: string): Promise<SizeChartValues> {
  const { response } = await shop.http.POST('/admin/size-charts', { params: ifMatch(etag), body: bodyOf(values) })
  await refresh()
  return { ...values, etag: response.headers.get('etag') ?? '' }
}

/** @throws Error when it was deleted */
export async function readSizeChart(id: string): Promise<SizeChartValues> {
  const { items } = await queryClient.fetchQuery({ ...sizeChartsQuery, staleTime: 0 })
  const found = items.find((each) => each.id === id)
  if (!found) throw new Error(t('sizeCharts.gone'))
  return valuesOf(found)
}

async function refresh(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: sizeChartsQuery.queryKey })
}
