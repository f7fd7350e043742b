import { Anchor, Box, Group, Title } from '@mantine/core'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, type MouseEvent, type ReactNode } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The path of the list whose link was followed. */
    list?: string
  }
}

interface PageProps {
  title: string
  /** The list that the page belongs to. */
  back?: { to: string; label: string }
  /** Beside the title, such as the state of an order. */
  aside?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a screen: title, actions, content. */
export function Page({ title, back, aside, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <Box maw={1400} mx="auto">
      {back && <BackLink {...back} />}
      <Group justify="space-between" align="center" mb="md" gap="sm">
        <Group gap="sm">
          <Title order={1} size="h2">
            {title}
          </Title>
          {aside}
        </Group>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Box>
  )
}

/** Returns to the list as it was, with its filters and its place; or to all of it when the page was opened otherwise. */
function BackLink({ to, label }: { to: string; label: string }): ReactNode {
  const { history } = useRouter()
  const { list } = useLocation().state
  function goBack(event: MouseEvent): void {
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey
    // The orders of a customer, say, are another list than the one that the link names.
    if (list !== to || opensElsewhere) return
    event.preventDefault()
    history.back()
  }
  return (
    <Anchor component={Link} to={to} onClick={goBack}>
      ← {label}
    </Anchor>
  )
}
