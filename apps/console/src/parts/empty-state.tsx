import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Says what would be here, and how to get it. */
export function EmptyState({ title, text, action }: { title: string; text?: string; action?: ReactNode }): ReactNode {
  return (
    <Stack align="center" gap="xs" py={48} px="md">
      <Text size="md" fw={600}>
        {title}
      </Text>
      {text !== undefined && (
        <Text c="dimmed" ta="center" maw={440}>
          {text}
        </Text>
      )}
      {action}
    </Stack>
  )
}
