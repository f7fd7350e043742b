import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../../../parts/money.ts'
import { mediaIdIn } from '../../../../parts/media-id.ts'
import { oneMediaQuery } from '../../../../parts/media-queries.ts'
import { thumbnailOf } from '../../../../parts/picture.tsx'
import { MIDDLE, positionOf } from '../../../../parts/save-focal-point.ts'
import type { ImageRow } from '../product-form.ts'
import { pictureUrl, type PreviewFacts } from './preview-facts.ts'
import classes from './preview.module.css'

/** The price with the former one, as a shopper reads them. */
export function PreviewPrice({ facts, currency }: { facts: PreviewFacts; currency: string }): ReactNode {
  const { t } = useTranslation()
  const { price, former, isFrom } = facts
  if (price === undefined) {
    return (
      <Text size="md" c="dimmed">
        {t('products.preview.noPrice')}
      </Text>
    )
  }
  const text = formatMoney({ amount: price, currency })
  return (
    <Group gap="xs">
      <Text size="md" fw={600}>
        {isFrom ? t('products.priceFrom', { price: text }) : text}
      </Text>
      {former !== undefined && (
        <Text size="md" c="dimmed" td="line-through">
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
  if (!image || !url) return <div className={isSmall ? classes['small'] : classes['picture']} />
  if (isSmall) return <img className={classes['small']} src={thumbnailOf(image.url || url)} alt={image.alt} />
  return <LargePicture image={image} url={url} />
}

/** Cropped by the page, as shops do: around the focal point. */
function LargePicture({ image, url }: { image: ImageRow; url: string }): ReactNode {
  const mediaId = mediaIdIn(image.url)
  const media = useQuery({ ...oneMediaQuery(mediaId ?? ''), enabled: mediaId !== undefined })
  const objectPosition = positionOf(media.data?.focalPoint ?? MIDDLE)
  return <img className={classes['picture']} src={url} alt={image.alt} style={{ objectPosition }} />
}
