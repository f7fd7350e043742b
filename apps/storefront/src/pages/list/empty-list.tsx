import { useLanguage } from '../../layout/page-context.ts'
import { IN_PLACE } from './list-props.ts'

/** In place of products. @param props.clear address of the list without filters, when it has some */
export function EmptyList({ clear }: { clear: string | undefined }) {
  const { t } = useLanguage()
  if (clear === undefined) {
    return (
      <div class="nothing">
        <h2>{t('list.nothing')}</h2>
        <p>{t('list.nothingText')}</p>
        <a class="button" href="/shop">
          {t('list.seeEverything')}
        </a>
      </div>
    )
  }
  return (
    <div class="nothing">
      <h2>{t('list.nothingFiltered')}</h2>
      <p>{t('list.nothingFilteredText')}</p>
      <a class="button" href={clear} hx-get={clear} hx-push-url="true" {...IN_PLACE}>
        {t('list.clear')}
      </a>
    </div>
  )
}
