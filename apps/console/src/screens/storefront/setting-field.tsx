import { Input, NumberInput, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { decimalSeparator } from '../../parts/amounts.ts'
import { MoneyInput } from '../../parts/money-input.tsx'
import { CategorySelect, CollectionSelect, CountrySelect } from './choice-fields.tsx'
import { isUnset, listOf, textOf, valueAt, type Path } from './document.ts'
import type { Field, InputProps } from './fields.ts'
import { ListSetting } from './list-setting.tsx'
import { PictureSetting } from './picture-setting.tsx'
import { useStorefront } from './storefront-context.ts'

interface SettingProps {
  field: Field
  /** Path of what holds the field. */
  at: Path
}

const BASIS_POINTS_PER_PERCENT = 100

/** One value of the configuration. */
export function SettingField({ field, at }: SettingProps): ReactNode {
  const { t } = useTranslation()
  const { document, faults, set, currency, canWrite } = useStorefront()
  const path = [...at, ...field.path.split('.')]
  const value = valueAt(document, path)
  const place = path.join('.')
  // The field also shows the error of one of its lines.
  const [, error] = Object.entries(faults).find(([each]) => each === place || each.startsWith(`${place}.`)) ?? []
  const label = t(`storefront.field.${field.label}`)
  const change = (next: unknown): void => set(path, next)
  const given = { label, error, disabled: !canWrite, 'data-path': place }
  switch (field.kind) {
    case 'list':
      return (
        <ListSetting
          field={field}
          path={path}
          renderField={(each, holder) => <SettingField field={each} at={holder} />}
        />
      )
    case 'switch':
      return <SwitchSetting {...given} value={value} onChange={change} />
    case 'number':
    case 'percent':
      return <NumberSetting {...given} value={value} isPercent={field.kind === 'percent'} onChange={change} />
    case 'money':
      return (
        <MoneyInput
          {...given}
          currency={currency}
          value={typeof value === 'number' ? value : textOf(value)}
          onChange={(amount) => change(amount === '' ? null : amount)}
        />
      )
    case 'choice':
      return <ChoiceSetting {...given} options={field.options} value={textOf(value)} onChange={change} />
    case 'category':
      return <CategorySelect {...given} value={textOf(value)} onChange={change} />
    case 'collection':
      return <CollectionSelect {...given} value={textOf(value)} onChange={change} />
    case 'countries':
      return <CountrySelect {...given} value={listOf(value)} onChange={change} />
    case 'picture':
      return <PictureSetting {...given} value={textOf(value)} onChange={change} />
    case 'text':
    case 'plainText':
    case 'longText':
    case 'lines':
      break
  }
  return <TextSetting {...given} kind={field.kind} value={value} onChange={change} />
}

interface TextSettingProps extends InputProps<unknown> {
  kind: 'text' | 'plainText' | 'longText' | 'lines'
}

function TextSetting({ kind, value, onChange, ...given }: TextSettingProps): ReactNode {
  const { t } = useTranslation()
  if (kind === 'lines' || Array.isArray(value)) {
    return (
      <Textarea
        {...given}
        description={t('storefront.onePerLine')}
        value={Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)}
        onChange={(event) => onChange(event.currentTarget.value.split('\n'))}
        maxRows={12}
      />
    )
  }
  // An address may be in parts, which have no form here: they stay as they are.
  if (!isUnset(value) && typeof value !== 'string') return null
  const change = (next: string): void => onChange(next === '' && kind !== 'plainText' ? null : next)
  if (kind === 'longText') {
    return (
      <Textarea {...given} value={textOf(value)} onChange={(event) => change(event.currentTarget.value)} maxRows={12} />
    )
  }
  return <TextInput {...given} value={textOf(value)} onChange={(event) => change(event.currentTarget.value)} />
}

interface ChoiceSettingProps extends InputProps<string> {
  options: Extract<Field, { kind: 'choice' }>['options']
}

function ChoiceSetting({ options, value, ...given }: ChoiceSettingProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Select
      {...given}
      data={options.map((option) => ({ value: option.value, label: t(`storefront.option.${option.name}`) }))}
      value={value === '' ? null : value}
      placeholder={t('storefront.byDefault')}
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
    />
  )
}

/** Yes, no, or what the storefront does by default. */
function SwitchSetting({ label, error, disabled, value, onChange }: InputProps<unknown>): ReactNode {
  const { t } = useTranslation()
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <div>
        <SegmentedControl
          size="xs"
          aria-label={label}
          disabled={disabled}
          value={typeof value === 'boolean' ? String(value) : ''}
          onChange={(next) => onChange(next === '' ? null : next === 'true')}
          data={[
            { value: 'true', label: t('storefront.on') },
            { value: 'false', label: t('storefront.off') },
            { value: '', label: t('storefront.byDefault') },
          ]}
        />
      </div>
    </Input.Wrapper>
  )
}

interface NumberSettingProps extends InputProps<unknown> {
  /** Whether a person enters percent; the shop stores basis points. */
  isPercent: boolean
}

function NumberSetting({ value, isPercent, onChange, ...given }: NumberSettingProps): ReactNode {
  const factor = isPercent ? BASIS_POINTS_PER_PERCENT : 1
  return (
    <NumberInput
      {...given}
      value={typeof value === 'number' ? value / factor : textOf(value)}
      onChange={(next) => {
        if (typeof next === 'number') onChange(Math.round(next * factor))
        else onChange(next === '' ? null : next)
      }}
      min={0}
      clampBehavior="none"
      maw={220}
      {...(isPercent
        ? { suffix: ' %', decimalScale: 2, decimalSeparator: decimalSeparator() }
        : { allowDecimal: false })}
    />
  )
}
