import { useTranslation } from 'react-i18next'
import { noticeDone, noticeFailure } from '../../parts/notices.ts'
import type { Section } from './fields.ts'
import { deleteSetting, versionOf } from './storefront-queries.ts'
import type { EditedDocument } from './use-edited-document.ts'

/** @returns sets a section back to its default, with a notice to undo it */
export function useResetSection({ saved, document, continueFrom, noticeSaved }: EditedDocument) {
  const { t } = useTranslation()

  async function reset({ name, roots }: Section): Promise<void> {
    const before = versionOf(saved)
    let version = before
    try {
      for (const root of roots) version = await deleteSetting(root, { version })
    } catch (error) {
      noticeFailure(error)
      // Otherwise every later save would conflict with the parts that were reset before the failure.
      await continueFrom(document)
      return
    }
    const now = await continueFrom(document)
    if (version === before) noticeDone(t('storefront.isDefault'))
    else noticeSaved(t('storefront.reset', { section: t(`storefront.section.${name}`) }), before, version, now)
  }

  return (section: Section): void => void reset(section).catch(noticeFailure)
}
