import { Code, List, Text } from '@mantine/core'
import { ArrowRightIcon } from '@radix-ui/react-icons'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** One field that was changed. A value that is not known is undefined. */
export interface Change {
  field: string
  before?: unknown
  after?: unknown
}

export function ChangeList({ changes }: { changes: readonly Change[] }): ReactNode {
  return (
    <List size="sm" spacing={2} listStyleType="none">
      {changes.map(({ field, before, after }) => (
        <List.Item key={field}>
          <Code>{field}</Code> <Values before={before} after={after} />
        </List.Item>
      ))}
    </List>
  )
}

function Values({ before, after }: { before: unknown; after: unknown }): ReactNode {
  const { t } = useTranslation()
  const former = shown(before)
  return (
    <Text span>
      {former !== '' && (
        <>
          <Text span inherit c="dimmed">
            {former}
          </Text>{' '}
          <ArrowRightIcon role="img" aria-label={t('common.becomes')} />{' '}
        </>
      )}
      {shown(after) || (former !== '' && t('common.noValue'))}
    </Text>
  )
}

const LONGEST = 200
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') return shown(JSON.stringify(value))
  if (TIMESTAMP.test(value)) {
    return new Intl.DateTimeFormat(i18next.language, { dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date(value),
    )
  }
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
}
