import type { ComponentChildren } from 'preact'
import { useLanguage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import { sentOnce } from '../../parts/sent-once.ts'

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
  return (
    <form class="review-form" {...sentOnce(address)} hx-target="this" hx-swap="outerHTML">
      {(problem ?? problems.size > 0) && (
        <p class="notice notice-problem" role="alert">
          {problem ?? t('product.reviewProblems')}
        </p>
      )}
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
                defaultChecked={valueOf('rating') === String(stars)}
              />
              <span class="value-name">
                {stars} <Icon name="star" filled />
                <span class="visually-hidden">{t('product.starsUnit', { count: stars })}</span>
              </span>
            </label>
          ))}
        </div>
        <Problem field="rating" problems={problems} />
      </fieldset>
      <TextField field="author" maxLength={100} isRequired autocomplete="nickname" {...{ sent, problems }} />
      <p class="form-field">
        <label for="review-body">{t('product.field.body')}</label>
        <textarea
          id="review-body"
          name="body"
          rows={5}
          maxlength={5000}
          defaultValue={valueOf('body')}
          {...faultOf('body', problems)}
        />
        <Problem field="body" problems={problems} />
      </p>
      <p class="form-field">
        <label for="review-size">{t('product.field.size')}</label>
        <select id="review-size" name="size" {...faultOf('size', problems)}>
          <option value="">{t('product.notGiven')}</option>
          {sizes.map((size) => (
            <option selected={valueOf('size') === size}>{size}</option>
          ))}
        </select>
        <Problem field="size" problems={problems} />
      </p>
      <TextField field="height" maxLength={50} {...{ sent, problems }} />
      <p class="form-field">
        <label for="review-fit">{t('product.field.fit')}</label>
        <select id="review-fit" name="fit" {...faultOf('fit', problems)}>
          <option value="">{t('product.notGiven')}</option>
          {(['small', 'true', 'large'] as const).map((fit) => (
            <option value={fit} selected={valueOf('fit') === fit}>
              {t(`product.reviewFit.${fit}`)}
            </option>
          ))}
        </select>
        <Problem field="fit" problems={problems} />
      </p>
      <button class="button">{t('product.sendReview')}</button>
    </form>
  )
}

interface TextFieldProps extends Pick<ReviewFormProps, 'sent' | 'problems'> {
  field: 'author' | 'height'
  maxLength: number
  isRequired?: boolean
  autocomplete?: string
}

function TextField({ field, maxLength, isRequired = false, autocomplete, sent, problems }: TextFieldProps) {
  const { t } = useLanguage()
  return (
    <p class="form-field">
      <label for={`review-${field}`}>{t(`product.field.${field}`)}</label>
      <input
        id={`review-${field}`}
        name={field}
        maxlength={maxLength}
        required={isRequired}
        autocomplete={autocomplete}
        value={sent.get(field) ?? ''}
        {...faultOf(field, problems)}
      />
      <Problem field={field} problems={problems} />
    </p>
  )
}

function faultOf(field: ReviewField, problems: ReviewFormProps['problems']) {
  return problems.has(field) ? { 'aria-invalid': true, 'aria-describedby': `review-${field}-problem` } : {}
}

function Problem({ field, problems }: { field: ReviewField; problems: ReviewFormProps['problems'] }) {
  const problem = problems.get(field)
  return problem === undefined ? null : (
    <span class="problem" id={`review-${field}-problem`}>
      {problem}
    </span>
  )
}
