import { Group, Pagination, Text } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface PagerProps {
  /** The items of this page, as the shop lists them. */
  items: readonly unknown[]
  page: number
  perPage: number
  total: number
  /** The total in words, where it does not count the rows. */
  found?: string
  onPage: (page: number) => void
}

/** How many there are, and the pages of a long list. */
export function Pager({ items, page, perPage, total, found, onPage }: PagerProps): ReactNode {
  const { t } = useTranslation()
  const pages = Math.ceil(total / perPage)
  // The last rows of the last page may have gone, for example when each of them was dealt with.
  const isPastEnd = items.length === 0 && pages > 0 && page > pages
  useEffect(() => {
    if (isPastEnd) onPage(pages)
  }, [isPastEnd, pages]) // The caller's function differs each time.
  return (
    <Group justify="space-between" mt="sm">
      <Text c="dimmed" role="status">
        {found ?? t('common.found', { count: total })}
      </Text>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page}
          onChange={onPage}
          getControlProps={(control) => ({ 'aria-label': t(`common.page.${control}`) })}
        />
      )}
    </Group>
  )
}
