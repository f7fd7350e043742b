import { usePage } from '../../layout/page-context.ts'
import { listAddress } from './list-state.ts'
import type { ListProps } from './list-props.ts'

/** Links to the pages before and after this one, for shoppers without script and for search engines. */
export function ListPages({ path, state, list }: ListProps) {
  const { frame, language } = usePage()
  const { t, number } = language
  const pages = Math.ceil(list.total / list.perPage)
  const to = (page: number, cursor?: string) => listAddress(path, { ...state, page, cursor }, frame.currency)
  if (pages < 2) return null
  return (
    <nav class="list-pages" aria-label={t('list.pages')}>
      {list.page > 1 && (
        <a class="button button-outline" rel="prev" href={to(list.page - 1)}>
          {t('list.previous')}
        </a>
      )}
      <p>{t('list.position', { page: number(list.page), pages: number(pages) })}</p>
      {list.nextCursor !== undefined && (
        // With the cursor nothing is shown twice when the list changes meanwhile.
        <a class="button button-outline script-off" rel="next" href={to(list.page + 1, list.nextCursor)}>
          {t('list.next')}
        </a>
      )}
    </nav>
  )
}
