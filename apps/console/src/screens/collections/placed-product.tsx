import { Anchor, Group, Text } from '@mantine/core'
import { DoubleArrowUpIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DragHandle } from '../../parts/drag-handle.tsx'
import { IconButton } from '../../parts/icon-button.tsx'
import { MoveButtons } from '../../parts/move-buttons.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { formatMoney } from '../../parts/money.ts'
import { Thumbnail } from '../../parts/picture.tsx'
import { productAddress } from '../../parts/record-links.ts'
import type { Drag } from '../../parts/use-drag.ts'
import classes from './placed-product.module.css'
import type { ListedProduct } from './collections-queries.ts'

interface PlacedProductProps {
  slug: string
  /** Undefined until it is known. */
  product: ListedProduct | undefined
  index: number
  count: number
  canWrite: boolean
  drag: Drag
  onMove: (to: number) => void
  onRemove: () => void
}

export function placedId(slug: string): string {
  return `placed-${slug}`
}

export function PlacedProduct(props: PlacedProductProps): ReactNode {
  const { slug, product, index, count, canWrite, drag, onMove, onRemove } = props
  const { t } = useTranslation()
  const title = product?.title ?? slug
  return (
    <li id={placedId(slug)} className={classes['row']} {...drag.itemProps(slug)}>
      {canWrite && <DragHandle drag={drag} of={slug} title={title} />}
      <Text c="dimmed" className="number" miw={28}>
        {index + 1}
      </Text>
      <Thumbnail url={product?.images[0]?.url} />
      <div className={classes['title']}>
        {product ? (
          <Anchor component={Link} to={productAddress(product.id)} fw={600} c="inherit">
            {title}
          </Anchor>
        ) : (
          <Text>{title}</Text>
        )}
        <Text className="small dimmed">
          {product && (product.published ? formatMoney(product.price) : t('collections.draft'))}
        </Text>
      </div>
      {canWrite && (
        <Group gap={0} wrap="nowrap">
          <IconButton
            icon={DoubleArrowUpIcon}
            label={t('collections.toTop', { title })}
            disabled={index === 0}
            onClick={() => onMove(0)}
          />
          <MoveButtons
            index={index}
            count={count}
            earlier={t('collections.earlier', { title })}
            later={t('collections.later', { title })}
            onMove={onMove}
          />
          <RemoveButton label={t('collections.remove', { title })} onClick={onRemove} />
        </Group>
      )}
    </li>
  )
}
