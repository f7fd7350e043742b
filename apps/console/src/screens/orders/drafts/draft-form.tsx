import { Grid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import type { ResponseOf } from '@storefront/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { t } from 'i18next'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveQuestion } from '../../../parts/leave-question.tsx'
import { noticeDone } from '../../../parts/notices.ts'
import { SaveBar } from '../../../parts/save-bar.tsx'
import { showStored, useStored } from '../../../parts/stored-form.ts'
import { useOneAtATime } from '../../../parts/use-one-at-a-time.ts'
import { isConflict, messageOf } from '../../../shop.ts'
import { BuyerFields } from './draft-buyer.tsx'
import { draftFaults } from './draft-faults.ts'
import { LinkCard } from './draft-link.tsx'
import { DraftLines } from './draft-lines.tsx'
import { OtherFields } from './draft-other-fields.tsx'
import { DraftTotals } from './draft-totals.tsx'
import { bodyOf, NEW_DRAFT, pricedPartOf, valuesOf, type DraftValues } from './draft-values.ts'
import { changeDraft, createDraft, quoteQuery, type ReadDraft } from './drafts-queries.ts'

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
  const isOver = read !== undefined && read.draft.status !== 'open' && read.draft.status !== 'sent'
  const stored = useMemo(() => (read ? valuesOf(read.draft) : NEW_DRAFT), [read])
  const form = useForm<DraftValues>({ initialValues: stored })
  // Each stays at its field until that is changed.
  const showFaults = (error: Error): void => form.setErrors(draftFaults(error))
  const save = useMutation({
    mutationFn: (values: DraftValues) => saveDraft(values, read),
    onMutate: form.clearErrors,
    onError: showFaults,
    onSuccess(draft) {
      showStored(form, valuesOf(draft))
      if (read === undefined) onCreated?.(draft.id)
    },
  })
  const saveOnce = useOneAtATime(save)
  useStored(form, stored, save.isPending)
  const isLocked = isReadOnly || isOver
  const isDirty = form.isDirty() && !isLocked
  const [priced] = useDebouncedValue(pricedPartOf(form.values), PRICED_AFTER_MS)
  const isStored = read !== undefined && !isDirty
  const quote = useQuery(quoteQuery(isLocked || (read && !isDirty) ? undefined : priced))
  const faults = draftFaults(isStored ? read.draft.problem : quote.error)
  // The total is still of use while a code is typed.
  const isCodeWrong = !isStored && faults['discountCode'] !== undefined
  const quoteWithoutCode = useQuery(quoteQuery(isCodeWrong && priced ? { ...priced, discountCode: '' } : undefined))
  const shownQuote = isStored ? read.draft.quote : isCodeWrong ? quoteWithoutCode.data : quote.data
  return (
    <form onSubmit={form.onSubmit(saveOnce)} noValidate>
      <LeaveQuestion isDirty={isDirty} />
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
            <DraftTotals
              quote={shownQuote}
              problem={isStored ? read.draft.problem?.message : quote.error ? messageOf(quote.error) : undefined}
            />
          </Stack>
        </Grid.Col>
      </Grid>
      {isDirty && (
        <SaveBar
          action={t('draftOrders.save')}
          isSaving={save.isPending}
          fault={save.error ? faultOf(save.error) : undefined}
          onSave={() => saveOnce(form.values)}
          onDiscard={() => {
            save.reset()
            form.reset()
          }}
        />
      )}
    </form>
  )
}

async function saveDraft(values: DraftValues, read: ReadDraft | undefined) {
  const body = bodyOf(values)
  if (body === undefined) throw new Error(t('draftOrders.noItems'))
  const draft = read ? (await changeDraft(read, body)).draft : await createDraft(body)
  noticeDone(t('draftOrders.saved'))
  return draft
}

function faultOf(error: unknown): string {
  return isConflict(error) ? t('draftOrders.conflict') : messageOf(error)
}
