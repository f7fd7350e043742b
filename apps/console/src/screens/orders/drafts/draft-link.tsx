import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../parts/card.tsx'
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx'
import { CopyText } from '../../../parts/copy-text.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import { useOneAtATime } from '../../../parts/use-one-at-a-time.ts'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { isExpired } from './draft-columns.tsx'
import { cancelDraft, linkQuery, sendDraft, type ReadDraft } from './drafts-queries.ts'

interface LinkCardProps {
  read: ReadDraft
  isDirty: boolean
  isLocked: boolean
  onError: (error: Error) => void
}

/** The payment link: makes it, shows it once, and ends it with the draft. */
export function LinkCard({ read, isDirty, isLocked, onError }: LinkCardProps): ReactNode {
  const { t } = useTranslation()
  const { draft } = read
  const url = useQuery(linkQuery(draft)).data
  const send = useMutation({
    mutationFn: (mail: boolean) => sendDraft(read, mail),
    onError,
    onSuccess: (_done, mail) =>
      noticeDone(mail ? t('draftOrders.mailed', { email: draft.email }) : t('draftOrders.made')),
  })
  const sendOnce = useOneAtATime(send)
  const [replacing, setReplacing] = useState<{ mail: boolean }>()
  const isInUse = draft.status === 'sent' && !isExpired(draft)
  const sendOrConfirm = (mail: boolean) => () => (isInUse ? setReplacing({ mail }) : sendOnce(mail))
  return (
    <Card title={t('draftOrders.link')}>
      <Stack gap="sm">
        <State draft={draft} />
        {draft.status === 'sent' && url && <CopyText label={t('draftOrders.linkLabel')} value={url} />}
        <Failure error={send.error} />
        {!isLocked && (
          <>
            {isDirty && <Text c="dimmed">{t('draftOrders.saveFirst')}</Text>}
            <Group gap="xs">
              <Button variant="filled" disabled={isDirty} loading={send.isPending} onClick={sendOrConfirm(true)}>
                {t(draft.status === 'sent' ? 'draftOrders.sendAgain' : 'draftOrders.send')}
              </Button>
              <Button disabled={isDirty || send.isPending} onClick={sendOrConfirm(false)}>
                {t('draftOrders.copyLink')}
              </Button>
              <CancelButton read={read} />
            </Group>
            <ConfirmDialog
              opened={replacing !== undefined}
              title={t('draftOrders.replaceTitle')}
              text={t('draftOrders.replaceText')}
              action={t(replacing?.mail === false ? 'draftOrders.copyLink' : 'draftOrders.sendAgain')}
              onClose={() => setReplacing(undefined)}
              onConfirm={() => replacing && sendOnce(replacing.mail)}
            />
          </>
        )}
      </Stack>
    </Card>
  )
}

function State({ draft }: Pick<ReadDraft, 'draft'>): ReactNode {
  const { t } = useTranslation()
  const { status, sentAt, expiresAt, order } = draft
  if (order) {
    return (
      <Anchor renderRoot={(props) => <Link {...props} to="/orders/$id" params={{ id: order.id }} />}>
        {t('draftOrders.becameOrder', { number: order.number })}
      </Anchor>
    )
  }
  if (status === 'cancelled') return <Text>{t('draftOrders.isCancelled')}</Text>
  if (sentAt === undefined || expiresAt === undefined) return <Text>{t('draftOrders.linkHelp')}</Text>
  return (
    <Text>
      {t('draftOrders.sentAt')} <RelativeTime at={sentAt} />.{' '}
      {t(isExpired(draft) ? 'draftOrders.expiredAt' : 'draftOrders.expiresAt')} <RelativeTime at={expiresAt} />.
    </Text>
  )
}

function CancelButton({ read }: { read: ReadDraft }): ReactNode {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const cancel = useMutation({
    mutationFn: () => cancelDraft(read),
    onSuccess: () => noticeDone(t('draftOrders.wasCancelled')),
    onSettled: () => setOpen(false),
  })
  return (
    <>
      <Button variant="light" color="red" loading={cancel.isPending} onClick={() => setOpen(true)}>
        {t('draftOrders.cancel')}
      </Button>
      <Failure error={cancel.error} />
      <ConfirmDialog
        opened={isOpen}
        title={t('draftOrders.cancelTitle')}
        text={t('draftOrders.cancelText')}
        action={t('draftOrders.cancel')}
        cancel={t('draftOrders.keep')}
        isDangerous
        staysOpen
        onClose={() => setOpen(false)}
        onConfirm={() => cancel.mutate()}
      />
    </>
  )
}
