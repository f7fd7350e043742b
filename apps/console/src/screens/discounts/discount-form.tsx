import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useMemo, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../../parts/failure.tsx'
import { halfTypedTimes } from '../../parts/half-typed-times.ts'
import { showSaved, useStored } from '../../parts/stored-form.ts'
import { UnsavedChangesGuard } from '../../parts/unsaved-changes-guard.tsx'
import { faultsOf, faultsOfShop } from './discount-faults.ts'
import { ConditionFields, LimitFields, PeriodFields, WorthFields } from './discount-fields.tsx'
import { NEW_DISCOUNT, valuesOf, type DiscountValues } from './discount-values.ts'
import type { Discount } from './discounts-queries.ts'
import { changeDiscount, createDiscount } from './save-discount.ts'

interface DiscountFormProps {
  /** Undefined for a new one. */
  discount?: Discount
  currency: string
  onSaved?: () => void
}

export function DiscountForm({ discount, currency, onSaved }: DiscountFormProps): ReactNode {
  const { t } = useTranslation()
  const stored = useMemo(() => (discount ? valuesOf(discount) : NEW_DISCOUNT), [discount])
  const form = useForm<DiscountValues>({ initialValues: stored })
  const save = useMutation({
    mutationFn: (values: DiscountValues) =>
      discount ? changeDiscount(form.getInitialValues(), values) : createDiscount(values),
    onSuccess: (saved, sent) => {
      showSaved(form, sent, valuesOf(saved))
      onSaved?.()
    },
    onError: (error) => form.setErrors(faultsOfShop(error)),
  })

  useStored(form, stored, save.isPending)
  const isDirty = form.isDirty()

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const faults = { ...faultsOf(form.values, currency), ...halfTypedTimes(event.currentTarget, t('common.halfTime')) }
    form.setErrors(faults)
    if (Object.keys(faults).length > 0) focusFirstFault(faults)
    else save.mutate(form.values)
  }

  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChangesGuard isDirty={isDirty} />
      <Stack maw={720}>
        <WorthFields form={form} currency={currency} isNew={discount === undefined} />
        <PeriodFields form={form} />
        <ConditionFields form={form} currency={currency} />
        <LimitFields form={form} />
        <Failure error={save.error} />
        <Group>
          <Button variant="filled" type="submit" loading={save.isPending} disabled={discount !== undefined && !isDirty}>
            {discount ? t('common.save') : t('discounts.create')}
          </Button>
          {discount && isDirty && (
            <Button
              onClick={() => {
                form.reset()
                save.reset()
              }}
            >
              {t('discounts.reset')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function focusFirstFault(errors: Record<string, unknown>): void {
  const [name] = Object.keys(errors)
  if (name !== undefined) document.querySelector<HTMLElement>(`[data-path="${name}"]`)?.focus()
}
