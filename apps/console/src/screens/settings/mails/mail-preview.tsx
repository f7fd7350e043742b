import { Badge, Code, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { MailFrame } from './mail-frame.tsx'
import { previewQuery, type Template } from './mails-queries.ts'

/** A mail as it arrives: its subject, and the page or the text. */
export function MailPreview({ template, action }: { template: Template; action: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const [part, setPart] = useState<'html' | 'text'>('html')
  const { event, enabled, override } = template
  const subject = useQuery(previewQuery(event, 'subject'))
  const content = useQuery(previewQuery(event, part))
  const name = t(`common.mails.kinds.${event}`)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="xs">
          <Title order={2} size="h4">
            {name}
          </Title>
          {override !== null && <Badge>{t('settings.mails.changed')}</Badge>}
          {!enabled && <Badge color="gray">{t('settings.mails.off')}</Badge>}
        </Group>
        {action}
      </Group>
      <Group justify="space-between">
        <Text>
          <Text component="span" c="dimmed">
            {t('settings.mails.subject')}
          </Text>{' '}
          {subject.data}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('settings.mails.part')}
          value={part}
          onChange={setPart}
          data={[
            { value: 'html', label: t('settings.mails.html') },
            { value: 'text', label: t('settings.mails.text') },
          ]}
        />
      </Group>
      {content.data === undefined ? (
        <LoadingState queries={[content]} />
      ) : part === 'html' ? (
        <Paper withBorder>
          <MailFrame title={name} html={content.data} />
        </Paper>
      ) : (
        <Code block className="wrap text" tabIndex={0}>
          {content.data}
        </Code>
      )}
    </Stack>
  )
}
