import { useLanguage } from '../layout/page-context.ts'

/** Stands where a script puts the contents, which offers the link when they do not arrive. */
export function Loading() {
  const { t } = useLanguage()
  return (
    <>
      <p class="loading script-on" role="status">
        {t('common.loading')}
      </p>
      <a class="again" href="" hidden>
        {t('common.tryAgain')}
      </a>
    </>
  )
}
