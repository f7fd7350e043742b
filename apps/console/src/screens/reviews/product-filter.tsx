import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'

/** Says that only the reviews of one product are shown, as the page of a product links to them. */
export function ProductFilter(): ReactNode {
  const { t } = useTranslation()
  const [{ product }, setFilters] = useFilters()
  if (product === undefined) return null
  return (
    <Group mb="sm" gap="sm">
      <Text>{t('reviews.ofProduct', { product })}</Text>
      <Button size="compact-sm" onClick={() => setFilters({ product: undefined })}>
        {t('reviews.ofAll')}
      </Button>
    </Group>
  )
}
