import { useTranslation } from 'react-i18next'
import type { ListField } from './fields.ts'
import { typeOf } from './home-fields.ts'

/** @returns what an item is called, and of what kind it is where there are several */
export function useItemTitle(field: ListField, item: unknown): { title: string; kind: string | undefined } {
  const { t } = useTranslation()
  const own = field.titleOf(item)
  const template = field.templates.find(({ name }) => name === typeOf(item))
  if (field.templates.length > 1) {
    const kind = template ? t(`storefront.template.${template.name}`) : typeOf(item)
    return own === '' ? { title: kind, kind: undefined } : { title: own, kind }
  }
  return { title: own === '' ? t('storefront.unnamed') : own, kind: undefined }
}
