import { Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface CardProps {
  title: string
  text?: string
  /** Beside the title, such as a state. */
  aside?: ReactNode
  action?: ReactNode
  children?: ReactNode
}

/** A part of a section, with its own heading. */
export function Card({ title, text, aside, action, children }: CardProps): ReactNode {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap="xs">
          <Title order={2} size="h4">
            {title}
          </Title>
          {aside}
        </Group>
        {action}
      </Group>
      {text !== undefined && (
        <Text size="sm" c="dimmed" mt={4} maw={640}>
          {text}
        </Text>
      )}
      {children}
    </Paper>
  )
}
