import { Button, Group, Text } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { numeral } from '../../parts/formats.ts'
import { moveByButton } from '../../parts/move-by-button.ts'
import { movedTo, useDragOrder } from '../../parts/use-drag-order.ts'
import { useDialog } from '../../parts/use-dialog.tsx'
import { namedProductsQuery, NAMED_AT_ONCE } from './collections-queries.ts'
import classes from './placed-product.module.css'
import { PlacedProduct, placedId } from './placed-product.tsx'
import { ProductPicker } from '../../parts/product-picker.tsx'

interface CollectionProductsProps {
  slugs: readonly string[]
  canWrite: boolean
  onChange: (slugs: readonly string[]) => void
}

/** The products of a collection, in the order in which shoppers see them. */
export function CollectionProducts({ slugs, canWrite, onChange }: CollectionProductsProps): ReactNode {
  const { t } = useTranslation()
  const [limit, setLimit] = useState(NAMED_AT_ONCE)
  const picker = useDialog<undefined>()
  const shown = slugs.slice(0, limit)
  const known = new Map((useQuery(namedProductsQuery(shown)).data ?? []).map((product) => [product.slug, product]))
  const drag = useDragOrder(shown, (slug, to) => onChange(movedTo(slugs, slugs.indexOf(slug), to)))

  const add = canWrite && (
    <Button leftSection={<PlusIcon />} onClick={() => picker.open(undefined)}>
      {t('common.pickProducts.title')}
    </Button>
  )
  return (
    <Card
      title={t('collections.productsOf', {
        count: slugs.length,
        number: numeral(slugs.length),
      })}
      action={slugs.length > 0 && add}
    >
      {slugs.length === 0 && (
        <EmptyState title={t('collections.noProducts')} text={t('collections.noProductsText')} action={add} />
      )}
      <ol className={classes['list']} aria-label={t('screens.products')}>
        {shown.map((slug, index) => (
          <PlacedProduct
            key={slug}
            slug={slug}
            product={known.get(slug)}
            index={index}
            count={slugs.length}
            canWrite={canWrite}
            drag={drag}
            onMove={(to) =>
              moveByButton(placedId(slug), to < index ? 'earlier' : 'later', () => onChange(movedTo(slugs, index, to)))
            }
            onRemove={() => onChange(slugs.filter((each) => each !== slug))}
          />
        ))}
      </ol>
      {slugs.length > limit && (
        <Group mt="sm">
          <Button onClick={() => setLimit(limit + NAMED_AT_ONCE)}>{t('common.more')}</Button>
          <Text c="dimmed">{t('collections.shownOf', { shown: shown.length, count: slugs.length })}</Text>
        </Group>
      )}
      {picker.render((dialog) => (
        <ProductPicker {...dialog} placed={slugs} onAdd={(more) => onChange([...slugs, ...more])} />
      ))}
    </Card>
  )
}
