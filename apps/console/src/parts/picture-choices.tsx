import { SimpleGrid, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { mediaQuery, type ListedMedia } from './media-queries.ts'
import { Pager } from './pager.tsx'
import { SearchBox } from './search-box.tsx'
import { thumbnailOf } from './picture.tsx'
import classes from './picture-field.module.css'

export function PictureChoices({ onChoose }: { onChoose: (media: ListedMedia) => void }): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useState({ q: '', page: 1 })
  const media = useQuery(mediaQuery(filters))
  if (media.isLoadingError) return <ErrorState error={media.error} onRetry={() => void media.refetch()} />
  return (
    <Stack gap="xs" mt="xs">
      <SearchBox label={t('common.picture.search')} value={filters.q} onSearch={(q) => setFilters({ q, page: 1 })} />
      {media.isPending && <Skeleton height={140} />}
      {media.data?.items.length === 0 && <EmptyState title={t('common.picture.none')} />}
      <SimpleGrid cols={{ base: 3, xs: 4 }} spacing="xs">
        {media.data?.items.map((each) => (
          <UnstyledButton key={each.id} className={classes['choice']} onClick={() => onChoose(each)}>
            <img src={thumbnailOf(each.path)} alt={each.alt ?? ''} width={96} height={120} loading="lazy" />
            <Text size="xs" className="ellipsis">
              {each.name}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
      {media.data && media.data.total > 0 && (
        <Pager {...media.data} onPage={(page) => setFilters({ ...filters, page })} />
      )}
    </Stack>
  )
}
