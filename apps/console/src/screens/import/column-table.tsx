import { Table, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CsvAttributes, CsvColumns, CsvTarget } from '@storefront/contracts/product-csv'
import { targetsOf } from './column-meanings.ts'
import { ColumnSelect } from './column-select.tsx'

interface ColumnTableProps {
  columns: CsvColumns
  /** The columns without the choices of the merchant, by their names alone. */
  own: CsvColumns
  rows: readonly (readonly string[])[]
  attributes: CsvAttributes
  /** Whether a field that every product needs has no column yet. */
  isIncomplete: boolean
  isDisabled: boolean
  onChoose: (name: string, own: CsvTarget | undefined, target: CsvTarget | undefined) => void
}

const LONGEST = 60

/** The columns of a product CSV: the first values of each, and a choice of the field that it fills. */
export function ColumnTable(props: ColumnTableProps): ReactNode {
  const { columns, rows, attributes, isIncomplete, isDisabled, onChoose } = props
  const { t } = useTranslation()
  const targets = targetsOf(columns)
  const byName = targetsOf(props.own)
  const taken = new Set(targets.values())
  // All columns are shown at first if something has to be chosen, or was chosen before.
  const [startsOpen] = useState(isIncomplete || columns.chosen.size > 0)
  const [showsAll, { toggle }] = useDisclosure(startsOpen)
  const all = columns.names.map((name, index) => ({ name, index, own: byName.get(index), target: targets.get(index) }))
  // Also a column that has a field by its name and was left out: its row must not vanish under the pointer.
  const used = all.filter((each) => each.own !== undefined || each.target !== undefined)
  return (
    <>
      <Table.ScrollContainer minWidth={0}>
        <Table className="data-table" aria-label={t('import.columns')} fz="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('import.columnOfFile')}</Table.Th>
              <Table.Th w={{ base: 150, sm: 320 }}>{t('import.becomes')}</Table.Th>
              <Table.Th visibleFrom="sm">{t('import.firstValues')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(showsAll ? all : used).map(({ name, index, own, target }) => (
              <Table.Tr key={index}>
                <Table.Td className="wrap">
                  {name}
                  <Text className="wrap small dimmed" hiddenFrom="sm">
                    {valuesOf(rows, index)}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <ColumnSelect
                    name={name}
                    target={target}
                    taken={taken}
                    attributes={attributes}
                    isDisabled={isDisabled}
                    onChoose={(next) => onChoose(name, own, next)}
                  />
                </Table.Td>
                <Table.Td visibleFrom="sm" className="wrap">
                  {valuesOf(rows, index)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {all.length > used.length && (
        <UnstyledButton onClick={toggle} aria-expanded={showsAll} fz="sm" td="underline" my="xs">
          {showsAll ? t('import.hideIgnored') : t('import.showIgnored', { count: all.length - used.length })}
        </UnstyledButton>
      )}
    </>
  )
}

function valuesOf(rows: readonly (readonly string[])[], index: number): string {
  const values = rows.map((cells) => (cells[index] ?? '').trim()).filter((value) => value !== '')
  return [...new Set(values)]
    .map((value) => (value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value))
    .join(' · ')
}
