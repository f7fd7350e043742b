import type { ComponentChildren } from 'preact'
import { useLanguage } from '../../layout/page-context.ts'
import { describedBy } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { sentOnce } from '../../parts/sent-once.ts'
import { FieldProblem, FormField } from './form-field.tsx'

export const REVIEW_FIELDS = ['rating', 'author', 'body', 'size', 'height', 'fit'] as const
export type ReviewField = (typeof REVIEW_FIELDS)[number]

interface ReviewFormProps {
  address: string
  sizes: readonly string[]
  /** What was sent before. */
  sent: URLSearchParams
  problems: ReadonlyMap<ReviewField, string>
  /** What went wrong with none of the fields. */
  problem: ComponentChildren
}

export function ReviewForm({ address, sizes, sent, problems, problem }: ReviewFormProps) {
  const { t } = useLanguage()
  const valueOf = (field: ReviewField) => sent.get(field) ?? ''
  const notesOf = (field: ReviewField) => ({ id: `review-${field}`, problem: problems.get(field) })
  const control = (field: ReviewField) => ({ id: `review-${field}`, name: field, ...describedBy(notesOf(field)) })
  const labeled = (field: ReviewField) => ({ ...notesOf(field), label: t(`product.field.${field}`) })
  return (
    <form class="review-form" {...sentOnce(address)} hx-target="this" hx-swap="outerHTML">
      {(problem ?? problems.size > 0) && (
        <p class="notice notice-problem" role="alert">
          {problem ?? t('product.reviewProblems')}
        </p>
      )}
      <Rating chosen={valueOf('rating')} problem={problems.get('rating')} />
      <FormField {...labeled('author')}>
        <input {...control('author')} maxlength={100} required autocomplete="nickname" value={valueOf('author')} />
      </FormField>
      <FormField {...labeled('body')}>
        <textarea {...control('body')} rows={5} maxlength={5000} defaultValue={valueOf('body')} />
      </FormField>
      <FormField {...labeled('size')}>
        <select {...control('size')}>
          <option value="">{t('product.notGiven')}</option>
          {sizes.map((size) => (
            <option selected={valueOf('size') === size}>{size}</option>
          ))}
        </select>
      </FormField>
      <FormField {...labeled('height')}>
        <input {...control('height')} maxlength={50} value={valueOf('height')} />
      </FormField>
      <FormField {...labeled('fit')}>
        <select {...control('fit')}>
          <option value="">{t('product.notGiven')}</option>
          {(['small', 'true', 'large'] as const).map((fit) => (
            <option value={fit} selected={valueOf('fit') === fit}>
              {t(`product.reviewFit.${fit}`)}
            </option>
          ))}
        </select>
      </FormField>
      <button class="button">{t('product.sendReview')}</button>
    </form>
  )
}

function Rating({ chosen, problem }: { chosen: string; problem: string | undefined }) {
  const { t } = useLanguage()
  return (
    <fieldset class="option" aria-describedby="review-rating-problem">
      <legend>{t('product.field.rating')}</legend>
      <div class="option-values">
        {[5, 4, 3, 2, 1].map((stars, index) => (
          <label class="value">
            <input
              type="radio"
              name="rating"
              value={stars}
              required
              autofocus={index === 0}
              defaultChecked={chosen === String(stars)}
            />
            <span class="value-name">
              {stars} <Icon name="star" filled />
              <span class="visually-hidden">{t('product.starsUnit', { count: stars })}</span>
            </span>
          </label>
        ))}
      </div>
      <FieldProblem id="review-rating" problem={problem} />
    </fieldset>
  )
}
