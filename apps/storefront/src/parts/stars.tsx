import { useLanguage } from '../layout/page-context.ts'
import { Icon } from './icon.tsx'

export function Stars({ average, count }: { average: number; count: number }) {
  const { t, number } = useLanguage()
  return (
    <p class="stars">
      <Icon name="star" filled />
      <span aria-hidden="true">
        {number(average)} <span class="hint">({number(count)})</span>
      </span>
      <span class="visually-hidden">{t('common.rating', { average: number(average), count })}</span>
    </p>
  )
}
