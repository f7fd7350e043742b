import { Grid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ResponseOf } from '@storefront/client'
import { t } from 'i18next'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorSentence } from '../../../messages/error-sentence.ts'
import type { EditedRecord } from '../../../parts/edit-conflict.ts'
import { noticeDone } from '../../../parts/notices.ts'
import { SaveBar } from '../../../parts/save-bar.tsx'
import { showSaved, useStored } from '../../../parts/stored-form.ts'
import { useRecordForm } from '../../../parts/use-record-form.ts'
import { queryClient } from '../../../query-client.ts'
import { messageOf } from '../../../shop.ts'
import { BuyerFields } from './draft-buyer.tsx'
import { draftFaults } from './draft-faults.ts'
import { LinkCard } from './draft-link.tsx'
import { DraftLines } from './draft-lines.tsx'
import { OtherFields } from './draft-other-fields.tsx'
import { DraftTotals } from './draft-totals.tsx'
import { bodyOf, changesOf, NEW_DRAFT, valuesOf, type DraftValues } from './draft-values.ts'
import { changeDraft, createDraft, draftQuery, type Draft, type ReadDraft } from './drafts-queries.ts'
import { useDraftQuote } from './use-draft-quote.ts'

interface DraftFormProps {
  /** Undefined for a new one. */
  read?: ReadDraft
  settings: ResponseOf<'GET /admin/storefront'>
  isReadOnly?: boolean
  onCreated?: (id: string) => void
}

/** The whole draft order: buyer, items, delivery, and what it costs. */
export function DraftForm({ read, settings, isReadOnly = false, onCreated }: DraftFormProps): ReactNode {
  const { t } = useTranslation()
  const stored = useMemo(() => (read ? valuesOf(read) : NEW_DRAFT), [read])
  const form = useForm<DraftValues>({ initialValues: stored })
  const id = read?.draft.id ?? ''
  const saving = useRecordForm<DraftValues, ReadDraft>({
    form,
    record: recordOf(id),
    send: ({ before, after }) => (read ? saveChange(id, before, after) : createFrom(after)),
    // Each message stays at its field until the field is changed.
    faultsOf: draftFaults,
    onSaved(saved, sent) {
      showSaved(form, sent, valuesOf(saved))
      noticeDone(t('draftOrders.saved'))
      if (read === undefined) onCreated?.(saved.draft.id)
    },
  })
  const isLocked = isReadOnly || (read !== undefined && isOver(read.draft))
  const isDirty = form.isDirty() && !isLocked
  // Values that can no longer be saved must not look as if they were stored.
  useStored({ ...form, isDirty: () => isDirty }, stored, saving.isPending)
  const { quote, problem } = useDraftQuote(form.values, isDirty ? undefined : read?.draft, isLocked)
  const fields = { form, isLocked, faults: draftFaults(problem) }
  return (
    <form onSubmit={form.onSubmit(saving.save)} noValidate>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <DraftLines form={form} isLocked={isLocked} quote={quote} />
            <BuyerFields {...fields} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            {read && (
              <LinkCard
                read={read}
                isDirty={isDirty}
                isLocked={isLocked}
                onError={(error) => form.setErrors(draftFaults(error))}
              />
            )}
            <OtherFields {...fields} methods={settings.commerce?.shippingMethods ?? []} />
            <DraftTotals quote={quote} problem={sentenceOf(problem)} />
          </Stack>
        </Grid.Col>
      </Grid>
      <SaveBar
        isDirty={isDirty}
        action={t('draftOrders.save')}
        isSaving={saving.isPending}
        fault={saving.error ? messageOf(saving.error) : undefined}
        onSave={saving.save}
        onDiscard={saving.discard}
      />
      {saving.conflict.dialog}
    </form>
  )
}

function recordOf(id: string): EditedRecord<DraftValues> {
  return {
    id,
    fields: [
      { label: t('draftOrders.email'), keys: ['email'] },
      { label: t('orders.address.title'), keys: ['address'] },
      { label: t('draftOrders.shippingMethod'), keys: ['shippingMethod'] },
      { label: t('draftOrders.discountCode'), keys: ['discountCode'] },
      { label: t('draftOrders.note'), keys: ['note'] },
      { label: t('orders.items.title'), keys: ['lines'] },
    ],
    read: () => readToEdit(id),
  }
}

function isOver({ status }: Draft): boolean {
  return status !== 'open' && status !== 'sent'
}

async function createFrom(values: DraftValues): Promise<ReadDraft> {
  const body = bodyOf(values)
  if (body === undefined) throw new Error(t('draftOrders.noItems'))
  return createDraft(body)
}

async function saveChange(id: string, before: DraftValues, after: DraftValues): Promise<ReadDraft> {
  const changes = changesOf(before, after)
  if (changes === undefined) throw new Error(t('draftOrders.noItems'))
  return changeDraft(id, before.etag, changes)
}

/** @throws Error when it can no longer be changed */
async function readToEdit(id: string): Promise<DraftValues> {
  const read = await queryClient.fetchQuery({ ...draftQuery(id), staleTime: 0 })
  if (isOver(read.draft)) throw new Error(t('draftOrders.over'))
  return valuesOf(read)
}

function sentenceOf(problem: Draft['problem'] | Error | null): string | undefined {
  if (!problem) return undefined
  return problem instanceof Error ? messageOf(problem) : errorSentence(problem.code, problem.message)
}
