import { Badge, Button, Group, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { pictureAddress } from '../../parts/picture.tsx'
import { productAddress } from '../../parts/record-links.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import type { Decision } from './moderate-review.ts'
import classes from './review-card.module.css'
import type { Review } from './reviews-queries.ts'
import { Stars } from './stars.tsx'
import { reviewElementId } from './use-review-keys.ts'

interface ReviewCardProps {
  review: Review
  isCurrent: boolean
  onCurrent: () => void
  onDecide: (decision: Decision) => void
  onDelete: () => void
}

export function ReviewCard({ review, isCurrent, onCurrent, onDecide, onDelete }: ReviewCardProps): ReactNode {
  const { t } = useTranslation()
  const { id, author, rating, body, status, product } = review
  return (
    <Paper
      component="article"
      withBorder
      p="md"
      id={reviewElementId(id)}
      className={classes['card']}
      tabIndex={-1}
      aria-label={t('reviews.by', { author, product: product.title })}
      aria-current={isCurrent || undefined}
      onFocus={onCurrent}
      onPointerDown={onCurrent}
    >
      <Group justify="space-between" align="flex-start" mb={4}>
        <Group gap="sm">
          <Stars rating={rating} />
          <Link to={productAddress(product.id)} className="row-link">
            <Text fw={600}>{product.title}</Text>
          </Link>
        </Group>
        <Text className="small dimmed">
          <RelativeTime at={review.createdAt} />
        </Text>
      </Group>
      <Text size="md" className={classes['body']}>
        {body === '' ? t('reviews.onlyStars') : body}
      </Text>
      <Photos photos={review.photos} />
      <Group justify="space-between" mt="sm">
        <Facts review={review} />
        <Group gap="xs">
          {status !== 'published' && (
            <Button variant="filled" size="compact-sm" onClick={() => onDecide('published')}>
              {t('reviews.publish')}
            </Button>
          )}
          {status !== 'hidden' && (
            <Button size="compact-sm" onClick={() => onDecide('hidden')}>
              {t('reviews.hide')}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" color="red" onClick={onDelete}>
            {t('reviews.delete')}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}

function Facts({ review }: { review: Review }): ReactNode {
  const { t } = useTranslation()
  const { author, verified, size, height, fit } = review
  const facts = [size !== '' && t('reviews.size', { size }), height, fit && t(`reviews.fit.${fit}`)].filter(
    (fact) => typeof fact === 'string' && fact !== '',
  )
  return (
    <Group gap="xs">
      <Text fw={600}>{author}</Text>
      {verified && (
        <Badge color="teal" size="sm">
          {t('reviews.verified')}
        </Badge>
      )}
      <Text className="small dimmed">{facts.join(' · ')}</Text>
    </Group>
  )
}

function Photos({ photos }: { photos: Review['photos'] }): ReactNode {
  if (photos.length === 0) return null
  return (
    <Group gap="xs" mt="xs">
      {photos.map(({ url, alt }) => (
        <a key={url} href={pictureAddress(url)} target="_blank" rel="noreferrer">
          <img src={pictureAddress(url)} alt={alt} width={72} height={90} loading="lazy" className={classes['photo']} />
        </a>
      ))}
    </Group>
  )
}
