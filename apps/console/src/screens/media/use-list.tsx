import { Anchor, List, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { productAddress } from '../../parts/record-links.ts'
import type { Uses } from '../../parts/media-queries.ts'

/** The records that show a picture. */
export function UseList({ uses: { products, productCount, places } }: { uses: Uses }): ReactNode {
  const { t } = useTranslation()
  if (productCount === 0 && places.length === 0) return <Text c="dimmed">{t('media.nowhere')}</Text>
  return (
    <List size="sm" spacing={2}>
      {places.map((place) => (
        <List.Item key={`${place.kind} ${place.id}`}>
          {t(`media.kind.${place.kind}`)} <Place {...place} />
        </List.Item>
      ))}
      {products.map(({ id, title }) => (
        <List.Item key={id}>
          {t('media.kind.product')}{' '}
          <Anchor component={Link} to={productAddress(id)} inherit>
            {title}
          </Anchor>
        </List.Item>
      ))}
      {productCount > products.length && (
        <List.Item>{t('media.moreProducts', { count: productCount - products.length })}</List.Item>
      )}
    </List>
  )
}

function Place({ kind, id, name }: Uses['places'][number]): ReactNode {
  if (kind === 'collection') {
    return (
      <Anchor inherit renderRoot={(props) => <Link to="/collections/edit" search={{ slug: id }} {...props} />}>
        {name}
      </Anchor>
    )
  }
  if (kind === 'category') {
    return (
      <Anchor component={Link} to="/categories" inherit>
        {name}
      </Anchor>
    )
  }
  return name
}
