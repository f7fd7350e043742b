import { Group, Paper, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

interface CardProps {
  title: string
  text?: string
  /** Beside the title, such as a state. */
  aside?: ReactNode
  action?: ReactNode
  children?: ReactNode
}

/** A part of a page, with its heading. */
export function Card({ title, text, aside, action, children }: CardProps): ReactNode {
  const heading = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={heading}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="xs">
        <Group gap="xs">
          <Title order={2} size="h4" id={heading}>
            {title}
          </Title>
          {aside}
        </Group>
        {action}
      </Group>
      {text !== undefined && (
        <Text c="dimmed" maw={640}>
          {text}
        </Text>
      )}
      {children}
    </Paper>
  )
}
