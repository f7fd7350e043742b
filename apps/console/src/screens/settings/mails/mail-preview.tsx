import { Badge, Code, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NONCE } from '../../../page-settings.ts'
import { LoadingState } from '../../../parts/loading-state.tsx'
import classes from './mail-frame.module.css'
import { previewQuery, type Template } from './mails-queries.ts'
import { withStyleSheet } from './with-style-sheet.ts'

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

/**
 * The page of a mail as a mail program shows it. It is the text of a merchant: the sandbox and the policy of the console,
 * which the frame inherits, let nothing in it run, send or lead elsewhere.
 */
function MailFrame({ title, html }: { title: string; html: string }): ReactNode {
  const page = useMemo(() => withStyleSheet(html, NONCE), [html])
  return <iframe className={classes['frame']} title={title} sandbox="" srcDoc={page} />
}
