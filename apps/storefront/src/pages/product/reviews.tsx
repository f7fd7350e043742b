import type { components } from '@storefront/client'
import { useLanguage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import type { ReviewList } from '../../shop/catalog.ts'
import { FitBar } from './fit.tsx'
import type { ProductView } from './product-view.ts'

type Review = components['schemas']['Review']

export function Reviews({ view, reviews }: { view: ProductView; reviews: ReviewList }) {
  const { t } = useLanguage()
  const { summary } = reviews
  const form = `${view.address}/review`
  return (
    <section class="section reviews" id="reviews" aria-labelledby="reviews-title">
      <h2 id="reviews-title">{t('product.reviews')}</h2>
      <div class="reviews-columns">
        <div class="reviews-summary">
          {summary.count === 0 ? <p>{t('product.noReviews')}</p> : <Summary summary={summary} />}
          <a class="button button-outline" href={form} hx-get={form} hx-target="#review-form">
            {t('product.writeReview')}
          </a>
          <div id="review-form" />
        </div>
        <div id="review-list">
          <ul class="review-list">
            {reviews.items.map((review) => (
              <Review review={review} />
            ))}
          </ul>
          <Pages view={view} reviews={reviews} />
        </div>
      </div>
    </section>
  )
}

function Summary({ summary }: { summary: ReviewList['summary'] }) {
  const { t, number } = useLanguage()
  const { average, count, breakdown, fit, withPhotos } = summary
  return (
    <>
      <p class="reviews-average">
        <Icon name="star" filled />
        <span aria-hidden="true">
          <strong>{number(average)}</strong> <span class="hint">{t('product.reviewCount', { count })}</span>
        </span>
        <span class="visually-hidden">{t('common.rating', { average: number(average), count })}</span>
      </p>
      <ul class="breakdown">
        {breakdown.map(({ stars, count: reviews }) => (
          <li>
            <span>
              {stars} <span class="visually-hidden">{t('product.starsUnit', { count: stars })}</span>
            </span>
            <span class="bar" aria-hidden="true">
              <span style={{ inlineSize: `${(reviews / count) * 100}%` }} />
            </span>
            <span>
              {number(reviews)} <span class="visually-hidden">{t('product.reviewsUnit', { count: reviews })}</span>
            </span>
          </li>
        ))}
      </ul>
      {fit.small + fit.true + fit.large > 0 && <FitBar shares={fit} />}
      {withPhotos > 0 && <p class="hint">{t('product.withPhotos', { count: withPhotos })}</p>}
    </>
  )
}

function Review({ review }: { review: Review }) {
  const { t, date } = useLanguage()
  const { author, rating, body, createdAt, verified, size, height, fit } = review
  const facts = [
    size && t('product.reviewSize', { size }),
    height && t('product.reviewHeight', { height }),
    fit && t(`product.reviewFit.${fit}`),
  ].filter(Boolean)
  return (
    <li>
      <article class="review">
        <p class="review-stars" role="img" aria-label={t('product.stars', { count: rating })}>
          {[1, 2, 3, 4, 5].map((star) => (
            <Icon name="star" filled={star <= rating} />
          ))}
        </p>
        <h3>
          {author}{' '}
          {verified && (
            <span class="verified">
              <Icon name="check" /> {t('product.verified')}
            </span>
          )}
        </h3>
        <p class="hint">
          <time datetime={createdAt}>{date(createdAt)}</time>
          {facts.length > 0 && ` · ${facts.join(' · ')}`}
        </p>
        {body !== '' && <p class="review-body">{body}</p>}
        <Photos review={review} />
      </article>
    </li>
  )
}

function Photos({ review: { id, author, photos } }: { review: Review }) {
  const { t } = useLanguage()
  if (photos.length === 0) return null
  return (
    <ul class="review-photos">
      {photos.map(({ url, alt }) => {
        const picture = alt || t('product.photoBy', { author })
        return (
          <li>
            <a href={url} data-view={id} aria-label={t('product.enlarge', { picture })}>
              <img src={url} alt={picture} width="96" height="96" loading="lazy" decoding="async" />
            </a>
          </li>
        )
      })}
    </ul>
  )
}

/** Links, which a script follows in place: a review that is being written stays beside the list. */
function Pages({ view, reviews: { page, perPage, total } }: { view: ProductView; reviews: ReviewList }) {
  const { t } = useLanguage()
  const last = Math.ceil(total / perPage)
  if (last < 2) return null
  const linkTo = (number: number) => {
    const address = `${view.address}?reviews=${number}`
    return {
      href: `${address}#reviews`,
      'hx-get': address,
      'hx-select': '#review-list',
      'hx-target': '#review-list',
      'hx-swap': 'outerHTML show:top',
    }
  }
  return (
    <nav class="pages" aria-label={t('product.reviewPages')}>
      {/* From a page after the last one, which an address may name, back to the last one. */}
      {page > 1 && (
        <a class="button button-outline" rel="prev" {...linkTo(Math.min(page, last + 1) - 1)}>
          {t('product.newerReviews')}
        </a>
      )}
      <span class="hint">{t('product.pageOf', { page, last })}</span>
      {page < last && (
        <a class="button button-outline" rel="next" {...linkTo(page + 1)}>
          {t('product.olderReviews')}
        </a>
      )}
    </nav>
  )
}
