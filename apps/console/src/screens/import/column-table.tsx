import { Table, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  CSV_FIELDS,
  type CsvAttributes,
  type CsvColumn,
  type CsvColumns,
  type CsvField,
} from '@storefront/contracts/product-csv'

interface ColumnTableProps {
  columns: CsvColumns
  rows: readonly (readonly string[])[]
  attributes: CsvAttributes
}

const LONGEST = 60
const FIELDS = new Map(CSV_FIELDS)
/** Their names in the catalogs of messages. */
const FIELD_NAMES = {
  slug: 'slug',
  title: 'title',
  description: 'description',
  enrichment: 'maker',
  tags: 'tags',
  published: 'published',
  options: 'options',
  'variants.options': 'optionValues',
  'variants.sku': 'sku',
  'variants.price': 'price',
  'variants.compareAtPrice': 'compareAtPrice',
  'variants.inventory': 'inventory',
  'variants.imageId': 'variantImage',
  images: 'images',
  'images.position': 'imagePosition',
  'images.alt': 'imageAlt',
} as const satisfies Record<CsvField, string>

/** Which column of a product CSV becomes what, with the first values of each. */
export function ColumnTable({ columns, rows, attributes }: ColumnTableProps): ReactNode {
  const { t } = useTranslation()
  const [showsAll, { toggle }] = useDisclosure()
  const fieldOf = useFieldOf(columns, attributes)
  const taken = columns.names.flatMap((name, index) => (fieldOf(index) === undefined ? [] : [{ name, index }]))
  const all = columns.names.map((name, index) => ({ name, index }))
  return (
    <>
      <Table.ScrollContainer minWidth={0}>
        <Table className="data-table" aria-label={t('import.columns')} fz="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('import.columnOfFile')}</Table.Th>
              <Table.Th>{t('import.becomes')}</Table.Th>
              <Table.Th visibleFrom="sm">{t('import.firstValues')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(showsAll ? all : taken).map(({ name, index }) => (
              <Table.Tr key={index}>
                <Table.Td className="wrap">{name}</Table.Td>
                <Table.Td>
                  {fieldOf(index) ?? (
                    <Text size="sm" c="dimmed">
                      {t('import.notTaken')}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm" className="wrap">
                  {valuesOf(rows, index)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {all.length > taken.length && (
        <UnstyledButton onClick={toggle} aria-expanded={showsAll} fz="sm" td="underline" my="xs">
          {showsAll ? t('import.hideIgnored') : t('import.showIgnored', { count: all.length - taken.length })}
        </UnstyledButton>
      )}
    </>
  )
}

/** @returns what a column becomes, in words; undefined for one that is ignored */
function useFieldOf(columns: CsvColumns, attributes: CsvAttributes): (index: number) => string | undefined {
  const { t } = useTranslation()
  const places = new Map([...columns.places].map(([column, index]): [number, CsvColumn] => [index, column]))
  return (index) => {
    const column = places.get(index)
    const field = column && FIELDS.get(column)
    if (field) return t(`import.field.${FIELD_NAMES[field]}`)
    const goesTo = columns.metafields.find((each) => each.index === index)?.goesTo
    if (goesTo === undefined) return undefined
    if (goesTo === 'care') return t('import.field.care')
    return t('import.field.spec', { name: attributes.find(({ key }) => key === goesTo.spec)?.label ?? goesTo.spec })
  }
}

function valuesOf(rows: readonly (readonly string[])[], index: number): string {
  const values = rows.map((cells) => (cells[index] ?? '').trim()).filter((value) => value !== '')
  return [...new Set(values)]
    .map((value) => (value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value))
    .join(' · ')
}
