import { Fieldset, Group, Input, NumberInput, SegmentedControl, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MoneyInput } from '../../parts/money-input.tsx'
import type { DiscountValues } from './discount-values.ts'
import { CategoryPicker, ProductPicker } from './restriction-pickers.tsx'

interface FieldsProps {
  form: UseFormReturnType<DiscountValues>
}

/** The code, and what it takes off. */
export function WorthFields({ form, currency, isNew }: FieldsProps & { currency: string; isNew: boolean }): ReactNode {
  const { t } = useTranslation()
  return (
    <Fieldset legend={t('discounts.section.worth')}>
      {isNew && (
        <TextInput
          label={t('discounts.field.code')}
          description={t('discounts.help.code')}
          maxLength={50}
          autoComplete="off"
          autoFocus
          mb="sm"
          styles={{ input: { textTransform: 'uppercase' } }}
          {...form.getInputProps('code')}
        />
      )}
      <Input.Wrapper label={t('discounts.field.kind')} labelElement="div" mb="sm">
        <div>
          <SegmentedControl
            aria-label={t('discounts.field.kind')}
            data={(['percent', 'fixed', 'shipping'] as const).map((value) => ({
              value,
              label: t(`discounts.kind.${value}`),
            }))}
            {...form.getInputProps('kind')}
            // Ten percent must not become ten dollars.
            onChange={(next) => form.setValues({ kind: next, worth: '' })}
          />
        </div>
      </Input.Wrapper>
      <Worth form={form} currency={currency} />
      <TextInput
        label={t('discounts.field.label')}
        description={t('discounts.help.label')}
        maxLength={200}
        mb="md"
        {...form.getInputProps('label')}
      />
      <Switch
        label={t('discounts.field.active')}
        description={t('discounts.help.active')}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </Fieldset>
  )
}

function Worth({ form, currency }: FieldsProps & { currency: string }): ReactNode {
  const { t } = useTranslation()
  const { kind, worth } = form.values
  const props = { w: 180, mb: 'sm', ...form.getInputProps('worth') }
  if (kind === 'shipping') return null
  if (kind === 'fixed') {
    return <MoneyInput {...props} label={t('discounts.worthOf.fixed')} currency={currency} value={worth} />
  }
  return (
    <NumberInput
      {...props}
      label={t('discounts.worthOf.percent')}
      min={0}
      max={100}
      clampBehavior="none"
      allowDecimal={false}
      suffix=" %"
    />
  )
}

export function PeriodFields({ form }: FieldsProps): ReactNode {
  const { t } = useTranslation()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return (
    <Fieldset legend={t('discounts.section.period')}>
      <Input.Description mb="xs">{t('discounts.help.period', { timeZone })}</Input.Description>
      <Group grow preventGrowOverflow={false} align="flex-start">
        {(['startsAt', 'endsAt'] as const).map((name) => (
          <TextInput
            key={name}
            type="datetime-local"
            step={1}
            label={t(`discounts.field.${name}`)}
            {...form.getInputProps(name)}
          />
        ))}
      </Group>
    </Fieldset>
  )
}

export function ConditionFields({ form, currency }: FieldsProps & { currency: string }): ReactNode {
  const { t } = useTranslation()
  return (
    <Fieldset legend={t('discounts.section.conditions')}>
      <MoneyInput
        label={t('discounts.field.minSubtotal')}
        description={t('discounts.help.minSubtotal')}
        currency={currency}
        maw={300}
        mb="sm"
        {...form.getInputProps('minSubtotal')}
        value={form.values.minSubtotal}
      />
      <CategoryPicker {...form.getInputProps('categories')} />
      <ProductPicker {...form.getInputProps('products')} />
      <Input.Description mt="xs">{t('discounts.help.restrictions')}</Input.Description>
    </Fieldset>
  )
}

export function LimitFields({ form }: FieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Fieldset legend={t('discounts.section.limits')}>
      <Group grow preventGrowOverflow={false} align="flex-start">
        {(['usageLimit', 'perCustomerLimit'] as const).map((name) => (
          <NumberInput
            key={name}
            label={t(`discounts.field.${name}`)}
            description={t(`discounts.help.${name}`)}
            min={1}
            max={1_000_000_000}
            clampBehavior="none"
            allowDecimal={false}
            {...form.getInputProps(name)}
          />
        ))}
      </Group>
    </Fieldset>
  )
}
