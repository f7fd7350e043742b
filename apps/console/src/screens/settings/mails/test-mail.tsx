import { Button, Text, TextInput } from '@mantine/core'
import { PaperPlaneIcon } from '@radix-ui/react-icons'
import { StorefrontError } from '@storefront/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { member } from '../../../parts/json.ts'
import { noticeDone } from '../../../parts/notices.ts'
import { useDialog, type DialogProps } from '../../../parts/use-dialog.tsx'
import { queryClient } from '../../../query-client.ts'
import { sessionQuery } from '../../../session.ts'
import { shop } from '../../../shop.ts'
import type { MailKind } from './mails-queries.ts'

/** Sends a mail with sample data, to see it in a real mail program. */
export function TestMail({ event }: { event: MailKind }): ReactNode {
  const { t } = useTranslation()
  const { open, render } = useDialog<undefined>()
  return (
    <>
      <Button leftSection={<PaperPlaneIcon />} onClick={() => open(undefined)}>
        {t('settings.mails.sendTest')}
      </Button>
      {render((dialog) => (
        <TestMailDialog {...dialog} event={event} />
      ))}
    </>
  )
}

function TestMailDialog({ event, ...dialog }: DialogProps & { event: MailKind }): ReactNode {
  const { t } = useTranslation()
  const own = useQuery(sessionQuery).data?.user.email ?? ''
  const [to, setTo] = useState(own)
  const send = useMutation({
    // The shop waits for the mail server.
    mutationFn: () => shop.post('/admin/notifications/test', { body: { event, to: to.trim() }, timeoutMs: 20_000 }),
    onSuccess: ({ preview }) => {
      dialog.onClose()
      void queryClient.invalidateQueries({ queryKey: ['notifications', 'log'] })
      noticeDone(t('settings.mails.testSent', { to: preview.to }))
    },
  })
  const reason = reasonOf(send.error)
  return (
    <FormDialog
      {...dialog}
      title={t('settings.mails.sendTest')}
      action={t('settings.mails.sendTest')}
      isPending={send.isPending}
      error={send.error}
      onSubmit={() => send.mutate()}
    >
      <Text>{t('settings.mails.testText')}</Text>
      <TextInput
        data-autofocus
        type="email"
        label={t('settings.mails.to')}
        value={to}
        onChange={(changed) => setTo(changed.currentTarget.value)}
      />
      {reason !== undefined && (
        <Text className="wrap">
          {t('settings.mails.serverSaid')} {reason}
        </Text>
      )}
    </FormDialog>
  )
}

/** @returns what the mail server replied, or why none was reached */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof StorefrontError)) return undefined
  const { detail } = error
  return [member(detail, 'answer'), member(detail, 'reason')].find((text) => typeof text === 'string')
}
