import { useLanguage } from '../../layout/page-context.ts'
import { NO_PROBLEMS, type Problems } from './details.ts'
import { ProblemSummary } from './problem-summary.tsx'

/** There is nothing to check out. */
export function EmptyCheckout({ problems = NO_PROBLEMS }: { problems?: Problems }) {
  const { t } = useLanguage()
  return (
    <div class="bag">
      <ProblemSummary problems={problems} />
      <p class="bag-empty">{t('bag.empty')}</p>
      <p class="hint">{t('checkout.emptyText')}</p>
      <p class="buttons">
        <a class="button" href="/shop">
          {t('bag.keepShopping')}
        </a>
        <a class="button button-outline" href="/orders/lookup">
          {t('checkout.toLookup')}
        </a>
      </p>
    </div>
  )
}
