import { Anchor, Box, Group, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'

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
      {back && (
        <Anchor component={Link} to={back.to} size="sm">
          ← {back.label}
        </Anchor>
      )}
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
