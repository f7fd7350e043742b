import { Box, Button, Group, Menu, NavLink } from '@mantine/core'
import { ChevronDownIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../session.ts'
import { SECTIONS, type SectionName } from './sections.ts'

/** Without this the router marks a link as the open page on every address below its own, too. */
const EXACT = { exact: true }

function useSections() {
  const can = useCan()
  return SECTIONS.filter(({ permission }) => permission === undefined || can(permission))
}

/** The sections beside the content, where there is room. */
export function SectionNavigation({ current }: { current: SectionName }): ReactNode {
  const { t } = useTranslation()
  return (
    <Box component="nav" aria-label={t('screens.settings')} visibleFrom="md" w={210} flex="none">
      {useSections().map(({ name, path }) => (
        <NavLink
          key={name}
          component={Link}
          to={path}
          activeOptions={EXACT}
          label={t(`settings.sections.${name}`)}
          active={name === current}
          aria-current={name === current ? 'page' : undefined}
        />
      ))}
    </Box>
  )
}

/** The same as a menu above the content, on narrow screens. */
export function SectionMenu({ current }: { current: SectionName }): ReactNode {
  const { t } = useTranslation()
  const sections = useSections()
  if (sections.length < 2) return null
  return (
    <Box hiddenFrom="md" mb="sm">
      <Menu position="bottom-start" width={240} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button rightSection={<ChevronDownIcon />}>{t('settings.sectionMenu')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {sections.map(({ name, path }) => (
            <Menu.Item
              key={name}
              component={Link}
              to={path}
              activeOptions={EXACT}
              aria-current={name === current ? 'page' : undefined}
            >
              {t(`settings.sections.${name}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Box>
  )
}

interface SubPage {
  to: string
  label: string
}

/** The pages of one section. */
export function SubPages({ label, pages, current }: { label: string; pages: readonly SubPage[]; current: string }) {
  return (
    <Group component="nav" aria-label={label} gap="xs" mb="md">
      {pages.map(({ to, label: text }) => (
        <Button
          key={to}
          renderRoot={(props) => <Link {...props} to={to} activeOptions={EXACT} />}
          variant={to === current ? 'light' : 'subtle'}
          size="compact-md"
          aria-current={to === current ? 'page' : undefined}
        >
          {text}
        </Button>
      ))}
    </Group>
  )
}
