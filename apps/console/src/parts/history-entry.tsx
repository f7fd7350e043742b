import { Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChangeList, type Change } from './change-list.tsx'
import classes from './history-entry.module.css'
import { RelativeTime } from './relative-time.tsx'

interface HistoryEntryProps {
  at: string
  actor: string
  sentence: ReactNode
  changes: readonly Change[]
  /** Text that opens the changes; without it they are open. */
  details?: string
}

/** Who did what and when, with the values before and after. */
export function HistoryEntry({ at, actor, sentence, changes, details }: HistoryEntryProps): ReactNode {
  return (
    <Box className={classes['entry']}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text>
          <b>{actor}</b> {sentence}
        </Text>
        <Text size="xs" c="dimmed" className={classes['time']}>
          <RelativeTime at={at} />
        </Text>
      </Group>
      {changes.length > 0 &&
        (details === undefined ? (
          <ChangeList changes={changes} />
        ) : (
          <details>
            <Text component="summary" className="small dimmed">
              {details}
            </Text>
            <ChangeList changes={changes} />
          </details>
        ))}
    </Box>
  )
}
