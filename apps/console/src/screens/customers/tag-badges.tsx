import { Badge, Group } from '@mantine/core'
import type { ReactNode } from 'react'

export function TagBadges({ tags }: { tags: readonly string[] }): ReactNode {
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Badge key={tag} variant="default">
          {tag}
        </Badge>
      ))}
    </Group>
  )
}
