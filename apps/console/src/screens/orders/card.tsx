import { Group, Paper, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

interface CardProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** A part of the page of an order, with its heading. */
export function Card({ title, action, children }: CardProps): ReactNode {
  const heading = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={heading}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} size="h5" id={heading}>
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </Paper>
  )
}
