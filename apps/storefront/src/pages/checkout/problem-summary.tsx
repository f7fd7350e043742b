import { useLanguage } from '../../layout/page-context.ts'
import { sendsTo } from './checkout-props.ts'
import { FIELDS, hasProblems, type Problems, type ShortLine } from './details.ts'

/** Everything that is wrong, with a link to each field. A script moves the focus here. */
export function ProblemSummary({ problems }: { problems: Problems }) {
  const { t } = useLanguage()
  if (!hasProblems(problems)) return null
  const { fields, notice, short = [], leadsToLookup = false } = problems
  const named = [...FIELDS, 'code' as const].filter((field) => fields[field] !== undefined)
  return (
    <div id="problems" class="notice notice-problem problems" role="alert" tabindex={-1}>
      {named.length > 0 && <h2>{t('checkout.problems')}</h2>}
      {notice && <p>{notice}</p>}
      {leadsToLookup && (
        <p>
          <a href="/orders/lookup">{t('checkout.toLookup')}</a>
        </p>
      )}
      {named.length > 0 && (
        <ul>
          {named.map((field) => (
            <li>
              <a href={`#f-${field}`}>{fields[field]}</a>
            </li>
          ))}
        </ul>
      )}
      {short.length > 0 && (
        <ul>
          {short.map((line) => (
            <Short line={line} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Short({ line: { lineId, title, options, available } }: { line: ShortLine }) {
  const { t } = useLanguage()
  const name = [title, ...Object.values(options)].join(', ')
  return (
    <li class="short-line">
      <span>
        {available === 0
          ? t('checkout.soldOut', { title: name })
          : t('checkout.left', { title: name, count: available })}
      </span>
      <button
        class="button button-small button-outline"
        name="line"
        value={`${lineId}:${available}`}
        {...sendsTo('/checkout/quantity')}
        aria-label={available === 0 ? t('bag.remove', { title: name }) : undefined}
      >
        {available === 0 ? t('bag.removeShort') : t('checkout.take', { count: available })}
      </button>
    </li>
  )
}
