import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateWithSecret } from '../create-with-secret.tsx'
import { MakeKeyDialog, type MadeKey } from './make-key-dialog.tsx'

/** Makes an API key, and shows a secret one this one time. */
export function MakeKey(): ReactNode {
  const { t } = useTranslation()
  return (
    <CreateWithSecret
      label={t('settings.keys.make')}
      Form={MakeKeyDialog}
      secretOf={({ name, key }: MadeKey) => ({
        title: t('settings.keys.made', { name }),
        text: t('settings.secret.text'),
        label: t('settings.keys.key'),
        secret: key,
      })}
    />
  )
}
