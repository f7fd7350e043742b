import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MakeAndShow } from '../make-and-show.tsx'
import { MakeKeyDialog, type MadeKey } from './make-key-dialog.tsx'

/** Makes an API key, and shows a secret one this one time. */
export function MakeKey(): ReactNode {
  const { t } = useTranslation()
  return (
    <MakeAndShow
      label={t('settings.keys.make')}
      Form={MakeKeyDialog}
      onceOf={({ name, key }: MadeKey) => ({
        title: t('settings.keys.made', { name }),
        text: t('settings.once.text'),
        label: t('settings.keys.key'),
        secret: key,
      })}
    />
  )
}
