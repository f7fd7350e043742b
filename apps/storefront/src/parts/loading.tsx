import { useLanguage } from '../layout/page-context.ts'

/** Stands where a script puts the contents. */
export function Loading() {
  const { t } = useLanguage()
  return (
    <p class="loading script-on" role="status">
      {t('common.loading')}
    </p>
  )
}
