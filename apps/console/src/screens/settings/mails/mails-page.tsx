import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../session.ts'
import { SubPages } from '../section-navigation.tsx'
import { SettingsPage } from '../settings-page.tsx'

type Path = '/settings/mails' | '/settings/mails/templates'

/** The log and, for those who may change settings, the templates beside it. */
export function MailsPage(props: { current: Path; actions?: ReactNode; children: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  return (
    <SettingsPage section="mails" actions={props.actions}>
      {can('settings:write') && (
        <SubPages
          label={t('settings.sections.mails')}
          current={props.current}
          pages={[
            { to: '/settings/mails', label: t('settings.mails.log') },
            { to: '/settings/mails/templates', label: t('settings.mails.templates') },
          ]}
        />
      )}
      {props.children}
    </SettingsPage>
  )
}
