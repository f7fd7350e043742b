import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../shop.ts'

/** The part of an infinite query that matters here. */
interface PagedQuery {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: Error | null
  fetchNextPage: () => Promise<unknown>
}

/** Reads the next part of a list; nothing when there is none. */
export function MoreButton({ list }: { list: PagedQuery }): ReactNode {
  const { t } = useTranslation()
  if (!list.hasNextPage) return null
  return (
    <Stack align="center" gap="xs" mt="md">
      {list.isFetchNextPageError && (
        <Text c="red" role="alert">
          {messageOf(list.error)}
        </Text>
      )}
      <Button loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {t('common.more')}
      </Button>
    </Stack>
  )
}
