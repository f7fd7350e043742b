import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { AvatarIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES, setLanguage } from '../messages/messages.ts'
import { sessionChangedHere } from '../other-windows.ts'
import { noticeFailure } from '../parts/notices.ts'
import { sessionQuery } from '../session.ts'
import { reportSignOut, shop } from '../shop.ts'

/** The menu with its button, opened from the start. */
export function AccountMenuItems(): ReactNode {
  const { t } = useTranslation()
  const user = useQuery(sessionQuery).data?.user
  // Opened only after the button has the focus, so that the focus returns to it when the menu closes.
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end" width={240} opened={opened} onChange={setOpened}>
      <Menu.Target>
        {/* Replaces the button that was pressed, and takes its focus. */}
        <ActionIcon variant="default" size="lg" aria-label={t('account.menu')} autoFocus>
          <AvatarIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fw={600}>{user?.name}</Text>
          {user?.email}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('account.colors')}</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item key={scheme} onClick={() => setColorScheme(scheme)} aria-current={scheme === colorScheme}>
            {t(`account.scheme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('account.language')}</Menu.Label>
        {LANGUAGES.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            onClick={() => void setLanguage(language)}
            aria-current={language === i18next.language}
          >
            {new Intl.DisplayNames(language, { type: 'language' }).of(language)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut(false)}>{t('account.signOut')}</Menu.Item>
        <Menu.Item onClick={() => void signOut(true)} color="red">
          {t('account.signOutEverywhere')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

async function signOut(everywhere: boolean): Promise<void> {
  try {
    await shop.delete('/admin/console/session', { params: { query: everywhere ? { everywhere: 'true' } : {} } })
    sessionChangedHere(undefined)
    reportSignOut()
  } catch (error) {
    noticeFailure(error)
  }
}
