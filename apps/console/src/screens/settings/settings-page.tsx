import { Box, Flex } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../parts/page.tsx'
import { useCan } from '../../session.ts'
import { NotAllowed } from '../../shell/fallbacks.tsx'
import { SECTIONS, type SectionName } from './sections.ts'
import { SectionMenu, SectionNavigation } from './section-navigation.tsx'

interface SettingsPageProps {
  section: SectionName
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a section: the other sections beside it, and its content for those who may use it. */
export function SettingsPage({ section, actions, children }: SettingsPageProps): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const permission = SECTIONS.find(({ name }) => name === section)?.permission
  const isAllowed = permission === undefined || can(permission)
  return (
    <Flex gap="xl" align="flex-start" maw={1400} mx="auto">
      <SectionNavigation current={section} />
      <Box flex={1} miw={0}>
        <SectionMenu current={section} />
        <Page title={t(`settings.sections.${section}`)} actions={isAllowed ? actions : undefined}>
          {isAllowed ? children : <NotAllowed />}
        </Page>
      </Box>
    </Flex>
  )
}
