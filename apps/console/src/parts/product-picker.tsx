import { Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ResponseOf } from '@storefront/client'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { formatMoney } from './money.ts'
import { Pager } from './pager.tsx'
import { Thumbnail } from './picture.tsx'
import { SearchBox } from './search-box.tsx'
import { foundProductsQuery } from './found-products.ts'
import type { DialogProps } from './use-dialog.tsx'

interface ProductPickerProps extends DialogProps {
  /** Slugs of products that are chosen already. */
  placed: readonly string[]
  onAdd: (slugs: string[]) => void
}

/** Finds products, and adds as many of them as a person ticks. */
export function ProductPicker({ opened, onClose, placed, onAdd }: ProductPickerProps): ReactNode {
  const { t } = useTranslation()
  const [{ q, page }, setFilters] = useState({ q: '', page: 1 })
  const [picked, setPicked] = useState<readonly string[]>([])
  const found = useQuery(foundProductsQuery(q, page))
  const alreadyPlaced = new Set(placed)
  const toggle = (slug: string): void =>
    setPicked(picked.includes(slug) ? picked.filter((each) => each !== slug) : [...picked, slug])

  return (
    <Dialog opened={opened} onClose={onClose} title={t('common.pickProducts.title')} size="lg">
      <Stack gap="sm">
        <SearchBox
          label={t('common.pickProducts.search')}
          value={q}
          onSearch={(text) => setFilters({ q: text, page: 1 })}
        />
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data?.items.length === 0 && <EmptyState title={t('common.pickProducts.none')} />}
        <Stack gap={4} role="group" aria-label={t('screens.products')} mih={300}>
          {found.isPending && <Skeleton height={300} />}
          {found.data?.items.map((product) => (
            <Checkbox
              key={product.slug}
              checked={alreadyPlaced.has(product.slug) || picked.includes(product.slug)}
              disabled={alreadyPlaced.has(product.slug)}
              onChange={() => toggle(product.slug)}
              label={<ProductLabel product={product} />}
            />
          ))}
        </Stack>
        {found.data && found.data.total > 0 && (
          <Pager {...found.data} onPage={(next) => setFilters({ q, page: next })} />
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="filled"
            disabled={picked.length === 0}
            onClick={() => {
              onAdd([...picked])
              onClose()
            }}
          >
            {picked.length === 0
              ? t('common.pickProducts.title')
              : t('common.pickProducts.add', { count: picked.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

type FoundProduct = ResponseOf<'GET /admin/products'>['items'][number]

function ProductLabel({ product }: { product: FoundProduct }): ReactNode {
  const { t } = useTranslation()
  const { title, price, published, images } = product
  return (
    <span className="pictured">
      <Thumbnail url={images[0]?.url} />
      <span>
        {title}
        <Text component="span" className="small dimmed" display="block">
          {published ? formatMoney(price) : t('common.pickProducts.draft')}
        </Text>
      </span>
    </span>
  )
}
