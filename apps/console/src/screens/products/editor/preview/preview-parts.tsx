import { Badge, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../../../parts/money.ts'
import { thumbnailOf } from '../../../../parts/picture.tsx'
import type { ImageRow } from '../product-form.ts'
import { pictureUrl, type PreviewFacts } from './preview-facts.ts'
import classes from './preview.module.css'

/** The price with the former one, as a shopper reads them. */
export function PreviewPrice({ facts, currency }: { facts: PreviewFacts; currency: string }): ReactNode {
  const { t } = useTranslation()
  const { price, former, isFrom } = facts
  if (price === undefined) return <Text c="dimmed">{t('products.preview.noPrice')}</Text>
  const text = formatMoney({ amount: price, currency })
  return (
    <Group gap="xs">
      <Text fw={600}>{isFrom ? t('products.priceFrom', { price: text }) : text}</Text>
      {former !== undefined && (
        <Text c="dimmed" td="line-through">
          {formatMoney({ amount: former, currency })}
        </Text>
      )}
    </Group>
  )
}

export function PreviewBadges({ badges }: Pick<PreviewFacts, 'badges'>): ReactNode {
  const { t } = useTranslation()
  return (
    <Group gap={4}>
      {badges.map((badge) => (
        <Badge key={badge} size="sm" variant="default" tt="none">
          {t(`products.preview.badge.${badge}`)}
        </Badge>
      ))}
    </Group>
  )
}

export function PreviewPicture({
  image,
  isSmall = false,
}: {
  image: ImageRow | undefined
  isSmall?: boolean
}): ReactNode {
  const url = image && pictureUrl(image)
  const className = isSmall ? classes['small'] : classes['picture']
  if (!image || !url) return <div className={className} />
  return <img className={className} src={isSmall ? thumbnailOf(image.url || url) : url} alt={image.alt} />
}
