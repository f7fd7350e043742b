import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SubPages } from '../section-navigation.tsx'
import { SettingsPage } from '../settings-page.tsx'

type Path = '/settings/webhooks' | '/settings/webhooks/deliveries'

/** Endpoints and their log, beside each other. */
export function WebhooksPage(props: { current: Path; actions: ReactNode; children: ReactNode }): ReactNode {
  const { t } = useTranslation()
  return (
    <SettingsPage section="webhooks" actions={props.actions}>
      <SubPages
        label={t('settings.sections.webhooks')}
        current={props.current}
        pages={[
          { to: '/settings/webhooks', label: t('settings.webhooks.endpoints') },
          { to: '/settings/webhooks/deliveries', label: t('settings.webhooks.deliveries') },
        ]}
      />
      {props.children}
    </SettingsPage>
  )
}
