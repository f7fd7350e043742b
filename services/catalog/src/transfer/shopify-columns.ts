import { CSV_FIELDS, valuesOfMetafield, type CsvColumn, type CsvColumns } from '@storefront/contracts/product-csv'

const SHOWN_COLUMNS = 100

/** The first column that fills a field. */
export function columnOf(field: string): CsvColumn | undefined {
  return CSV_FIELDS.find(([, filled]) => filled === field)?.[0]
}

/** Fields of a product for which no CSV has a column. */
const NEVER_GIVEN = [
  'subtitle',
  'details',
  'swatches',
  'categories',
  'badges',
  'position',
  'createdAt',
  'publishAt',
  'unpublishAt',
  'fit',
  'fabric',
  'sizeChartId',
  'relatedSlugs',
]
/** Fields that a CSV contains only with one of these columns. */
const COLUMNS_BY_FIELD: Readonly<Record<string, readonly CsvColumn[]>> = {
  description: ['Body (HTML)'],
  tags: ['Tags', 'Type'],
  published: ['Published', 'Status'],
  images: ['Image Src', 'Variant Image'],
  'variants.compareAtPrice': ['Variant Compare At Price'],
  'variants.imageId': ['Variant Image'],
  'variants.options': [
    'Option1 Name',
    'Option1 Value',
    'Option2 Name',
    'Option2 Value',
    'Option3 Name',
    'Option3 Value',
  ],
}

/** Fields of a product that a file with these columns does not contain. */
export function fieldsNotGiven({ places, metafields }: CsvColumns): string[] {
  const namesCare = metafields.some(({ goesTo }) => goesTo === 'care')
  return [
    ...NEVER_GIVEN,
    ...Object.entries(COLUMNS_BY_FIELD).flatMap(([field, columns]) =>
      columns.some((each) => places.has(each)) ? [] : [field],
    ),
    ...(namesCare ? [] : ['care']),
  ]
}

/** Records which columns have values that were not imported, apart from those that the merchant leaves out. */
export function watchColumns({ places, metafields, names, leftOut }: CsvColumns) {
  const taken = new Set(places.values())
  const open = new Set([...names.keys()].filter((index) => !taken.has(index) && !leftOut.has(index)))
  const readable = new Set(metafields.map(({ index }) => index))
  const found = new Set<number>()
  return {
    look(cells: readonly string[]): void {
      for (const index of open) {
        const text = cells[index]?.trim() ?? ''
        if (text === '' || (readable.has(index) && valuesOfMetafield(text) !== undefined)) continue
        found.add(index)
        open.delete(index)
      }
    },
    notTaken(): string[] {
      const shown = [...found].toSorted((one, other) => one - other).map((index) => names[index] ?? '')
      if (shown.length <= SHOWN_COLUMNS) return shown
      return [...shown.slice(0, SHOWN_COLUMNS), `and ${shown.length - SHOWN_COLUMNS} more`]
    },
  }
}
