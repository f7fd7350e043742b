import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../parts/card.tsx'
import { fieldProps, type DraftFaults } from './draft-faults.ts'
import type { DraftValues } from './draft-values.ts'

interface OtherFieldsProps {
  form: UseFormReturnType<DraftValues>
  isLocked: boolean
  faults: DraftFaults
  methods: readonly { id: string; label?: string | null | undefined }[]
}

/** Delivery, discount code and note. */
export function OtherFields({ form, isLocked, faults, methods }: OtherFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Card title={t('draftOrders.terms')}>
      <Stack gap="sm">
        {methods.length > 0 && <MethodField form={form} isLocked={isLocked} faults={faults} methods={methods} />}
        <TextInput
          label={t('draftOrders.discountCode')}
          maxLength={50}
          autoComplete="off"
          readOnly={isLocked}
          styles={{ input: { textTransform: 'uppercase' } }}
          {...fieldProps(form, faults, 'discountCode')}
        />
        <Textarea
          label={t('draftOrders.note')}
          description={t('draftOrders.noteHelp')}
          maxLength={2000}
          readOnly={isLocked}
          {...form.getInputProps('note')}
        />
      </Stack>
    </Card>
  )
}

function MethodField({ form, isLocked, faults, methods }: OtherFieldsProps): ReactNode {
  const { t } = useTranslation()
  const label = t('draftOrders.shippingMethod')
  const data = methods.map((method) => ({ value: method.id, label: method.label ?? method.id }))
  // A draft without a method is sent by the first one.
  const chosen = form.values.shippingMethod || (methods[0]?.id ?? '')
  if (isLocked) {
    return <TextInput label={label} value={data.find(({ value }) => value === chosen)?.label ?? chosen} readOnly />
  }
  return <NativeSelect label={label} data={data} {...fieldProps(form, faults, 'shippingMethod')} value={chosen} />
}
