import { ActionIcon, AppShell, Box, Burger, Button, Group, NavLink, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import {
  ActivityLogIcon,
  ArchiveIcon,
  ChatBubbleIcon,
  CubeIcon,
  FileTextIcon,
  GearIcon,
  HomeIcon,
  LayoutIcon,
  MagnifyingGlassIcon,
  PersonIcon,
  TokensIcon,
  UploadIcon,
} from '@radix-ui/react-icons'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useMatches, useRouter } from '@tanstack/react-router'
import { Fragment, lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../session.ts'
import { AccountMenu } from './account-menu.tsx'
import { NotAllowed } from './fallbacks.tsx'
import { openPalette } from './palette-opener.ts'
import { preloadScreens } from './preload-screens.ts'
import { SCREENS, type ScreenLink } from './screens.ts'
import { MAIN_PROPS, SkipLink, useFocusOfScreen } from './skip-link.tsx'

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))

/** Screens that the navigation lists below another one have no icon. */
const ICONS: Partial<Record<ScreenLink['name'], ReactNode>> = {
  home: <HomeIcon />,
  orders: <FileTextIcon />,
  products: <CubeIcon />,
  stock: <ArchiveIcon />,
  discounts: <TokensIcon />,
  customers: <PersonIcon />,
  reviews: <ChatBubbleIcon />,
  storefront: <LayoutIcon />,
  import: <UploadIcon />,
  activity: <ActivityLogIcon />,
  settings: <GearIcon />,
}

/** What stays around every screen. */
export function Shell(): ReactNode {
  const { t } = useTranslation()
  const [opened, { toggle, close }] = useDisclosure()
  // Loaded when it is opened first.
  const [paletteUsed, setPaletteUsed] = useState(false)
  const showPalette = (): void => {
    setPaletteUsed(true)
    openPalette()
  }
  const { pathname } = useLocation()
  const can = useCan()
  const needed = useMatches({ select: (matches) => matches.at(-1)?.staticData.permission })
  const main = useFocusOfScreen()
  useEffect(close, [pathname, close])
  // Here and not in the palette, which may still be loading when the keys are pressed.
  useHotkeys([
    ['mod+K', showPalette],
    ['/', showPalette],
  ])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <SkipLink main={main} />
      <AppShell.Header>
        <Header isMenuOpen={opened} onMenu={toggle} onSearch={showPalette} />
      </AppShell.Header>
      {/* On a phone the closed menu is only moved aside: hidden as well, the keyboard and a reader do not find it. */}
      <AppShell.Navbar p="xs" aria-label={t('shell.menu')} {...(!opened && { visibleFrom: 'sm' })}>
        <AppShell.Section grow style={{ overflowY: 'auto' }}>
          <Navigation pathname={pathname} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main ref={main} {...MAIN_PROPS}>
        {needed === undefined || can(needed) ? <Outlet /> : <NotAllowed />}
        {paletteUsed && (
          <Suspense>
            <CommandPalette />
          </Suspense>
        )}
      </AppShell.Main>
    </AppShell>
  )
}

interface HeaderProps {
  isMenuOpen: boolean
  onMenu: () => void
  onSearch: () => void
}

function Header({ isMenuOpen, onMenu, onSearch }: HeaderProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        <Burger
          opened={isMenuOpen}
          onClick={onMenu}
          hiddenFrom="sm"
          size="sm"
          aria-label={t('shell.menu')}
          aria-expanded={isMenuOpen}
        />
        <UnstyledButton component={Link} to="/">
          <Text size="md" fw={700}>
            {t('shell.name')}
          </Text>
        </UnstyledButton>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Button leftSection={<MagnifyingGlassIcon />} onClick={onSearch} visibleFrom="sm" c="dimmed">
          {t('shell.search')}
        </Button>
        <ActionIcon variant="default" size="lg" onClick={onSearch} hiddenFrom="sm" aria-label={t('shell.search')}>
          <MagnifyingGlassIcon />
        </ActionIcon>
        <AccountMenu />
      </Group>
    </Group>
  )
}

function Navigation({ pathname }: { pathname: string }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const screens = SCREENS.filter(({ permission }) => permission === undefined || can(permission))
  usePreloadedScreens(screens)
  return screens
    .filter(({ below }) => below === undefined)
    .map((screen) => {
      const below = screens.filter((each) => each.below === screen.name)
      const isOpen = [screen, ...below].some(({ path }) => isAt(path, pathname))
      return (
        <Fragment key={screen.name}>
          <ScreenNavLink screen={screen} pathname={pathname} />
          {isOpen && below.length > 0 && (
            <Box role="group" aria-label={t(`screens.${screen.name}`)} pl={26}>
              {below.map((each) => (
                <ScreenNavLink key={each.name} screen={each} pathname={pathname} />
              ))}
            </Box>
          )}
        </Fragment>
      )
    })
}

/** Orders and products have the most code, and are what most merchants come for. */
const LOADED_AHEAD: readonly ScreenLink['name'][] = ['orders', 'products']

function usePreloadedScreens(screens: readonly ScreenLink[]): void {
  const router = useRouter()
  const queryClient = useQueryClient()
  const paths = screens
    .filter(({ name }) => LOADED_AHEAD.includes(name))
    .map(({ path }) => path)
    .join(' ')
  useEffect(
    () => preloadScreens({ router, queryClient, paths: paths.split(' ').filter(Boolean) }),
    [router, queryClient, paths],
  )
}

function ScreenNavLink({ screen: { name, path }, pathname }: { screen: ScreenLink; pathname: string }): ReactNode {
  const { t } = useTranslation()
  const active = isAt(path, pathname)
  return (
    <NavLink
      component={Link}
      to={path}
      label={t(`screens.${name}`)}
      leftSection={ICONS[name]}
      active={active}
      aria-current={active ? 'page' : undefined}
    />
  )
}

function isAt(path: string, pathname: string): boolean {
  return path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`)
}
