import { Grid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import type { ResponseOf } from '@storefront/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { t } from 'i18next'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorSentence } from '../../../messages/error-sentence.ts'
import type { Edit } from '../../../parts/edit-conflict.ts'
import { noticeDone } from '../../../parts/notices.ts'
import { SaveBar } from '../../../parts/save-bar.tsx'
import { showSaved, useStored } from '../../../parts/stored-form.ts'
import { UnsavedChangesGuard } from '../../../parts/unsaved-changes-guard.tsx'
import { useEditConflict } from '../../../parts/use-edit-conflict.tsx'
import { useOneAtATime } from '../../../parts/use-one-at-a-time.ts'
import { queryClient } from '../../../query-client.ts'
import { isConflict, messageOf } from '../../../shop.ts'
import { BuyerFields } from './draft-buyer.tsx'
import { draftFaults } from './draft-faults.ts'
import { LinkCard } from './draft-link.tsx'
import { DraftLines } from './draft-lines.tsx'
import { OtherFields } from './draft-other-fields.tsx'
import { DraftTotals } from './draft-totals.tsx'
import { bodyOf, changesOf, NEW_DRAFT, pricedPartOf, valuesOf, type DraftValues } from './draft-values.ts'
import { changeDraft, createDraft, draftQuery, quoteQuery, type Draft, type ReadDraft } from './drafts-queries.ts'

const PRICED_AFTER_MS = 300

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
  const id = read?.draft.id ?? ''
  const stored = useMemo(() => (read ? valuesOf(read) : NEW_DRAFT), [read])
  const form = useForm<DraftValues>({ initialValues: stored })
  // Each message stays at its field until the field is changed.
  const showFaults = (error: Error): void => form.setErrors(draftFaults(error))
  const save = useMutation({
    mutationFn: ({ before, after }: Edit<DraftValues>) => (read ? saveChange(id, before, after) : createFrom(after)),
    onMutate: form.clearErrors,
    onError: (error, { before }) => {
      showFaults(error)
      void conflict.find(error, before)
    },
    onSuccess(saved, { after }) {
      showSaved(form, after, valuesOf(saved))
      noticeDone(t('draftOrders.saved'))
      if (read === undefined) onCreated?.(saved.draft.id)
    },
  })
  const saveOnce = useOneAtATime(save)
  const conflict = useEditConflict<DraftValues>(
    {
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
    },
    form,
    (before, after) => save.mutate({ before, after }),
  )
  const isLocked = isReadOnly || (read !== undefined && isOver(read.draft))
  const isDirty = form.isDirty() && !isLocked
  const saveTyped = (): void => saveOnce({ before: form.getInitialValues(), after: form.values })
  useHotkeys([['mod+S', () => isDirty && saveTyped()]], [])
  // Values that can no longer be saved must not look as if they were stored.
  useStored({ ...form, isDirty: () => isDirty }, stored, save.isPending)
  const [priced] = useDebouncedValue(pricedPartOf(form.values), PRICED_AFTER_MS)
  const isStored = read !== undefined && !isDirty
  const quote = useQuery(quoteQuery(isLocked || isStored ? undefined : priced))
  const faults = draftFaults(isStored ? read.draft.problem : quote.error)
  // The total is still of use while a code is typed.
  const isCodeWrong = !isStored && faults['discountCode'] !== undefined
  const quoteWithoutCode = useQuery(quoteQuery(isCodeWrong && priced ? { ...priced, discountCode: '' } : undefined))
  const typedQuote = isCodeWrong ? quoteWithoutCode.data : quote.data
  const shownQuote = isStored ? read.draft.quote : typedQuote
  return (
    <form onSubmit={form.onSubmit((after) => saveOnce({ before: form.getInitialValues(), after }))} noValidate>
      <UnsavedChangesGuard isDirty={isDirty} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <DraftLines form={form} isLocked={isLocked} quote={shownQuote} />
            <BuyerFields form={form} isLocked={isLocked} faults={faults} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            {read && <LinkCard read={read} isDirty={isDirty} isLocked={isLocked} onError={showFaults} />}
            <OtherFields
              form={form}
              isLocked={isLocked}
              faults={faults}
              methods={settings.commerce?.shippingMethods ?? []}
            />
            <DraftTotals quote={shownQuote} problem={problemOf(isStored ? read.draft.problem : quote.error)} />
          </Stack>
        </Grid.Col>
      </Grid>
      {isDirty && (
        <SaveBar
          action={t('draftOrders.save')}
          isSaving={save.isPending}
          fault={save.error && !isConflict(save.error) ? messageOf(save.error) : undefined}
          onSave={saveTyped}
          onDiscard={() => {
            save.reset()
            form.reset()
          }}
        />
      )}
      {conflict.dialog}
    </form>
  )
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

function problemOf(problem: Draft['problem'] | Error | null): string | undefined {
  if (!problem) return undefined
  return problem instanceof Error ? messageOf(problem) : errorSentence(problem.code, problem.message)
}
