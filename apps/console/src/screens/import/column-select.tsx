import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CsvAttributes, CsvTarget } from '@storefront/contracts/product-csv'
import { allTargets } from './column-meanings.ts'
import { suggestionsFor } from './column-suggestions.ts'
import { useTargetName } from './use-target-name.ts'

interface ColumnSelectProps {
  name: string
  target: CsvTarget | undefined
  /** Meanings of all columns: each has one column at most. */
  taken: ReadonlySet<CsvTarget>
  attributes: CsvAttributes
  isDisabled: boolean
  onChoose: (target: CsvTarget | undefined) => void
}

/** What one column means; the most likely meanings come first. */
export function ColumnSelect({ name, target, taken, attributes, isDisabled, onChoose }: ColumnSelectProps): ReactNode {
  const { t } = useTranslation()
  const nameOf = useTargetName(attributes)
  const targets = allTargets(attributes)
  const suggested = suggestionsFor(name, attributes)
  const others = targets.filter((each) => !suggested.includes(each))
  const option = (each: CsvTarget) => ({
    value: each,
    label: nameOf(each),
    disabled: each !== target && taken.has(each),
  })
  return (
    <NativeSelect
      size="xs"
      miw={140}
      aria-label={t('import.meaningOf', { name })}
      value={target ?? ''}
      disabled={isDisabled}
      data={[
        { value: '', label: t('import.notTaken') },
        ...(suggested.length > 0 ? [{ group: t('import.suggested'), items: suggested.map(option) }] : []),
        { group: t('import.allFields'), items: others.filter((each) => !each.startsWith('specs.')).map(option) },
        { group: t('import.attributes'), items: others.filter((each) => each.startsWith('specs.')).map(option) },
      ]}
      onChange={(event) => {
        const { value } = event.currentTarget
        onChoose(targets.find((each) => each === value))
      }}
    />
  )
}
