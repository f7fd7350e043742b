import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { readCsvHeader } from '@storefront/contracts/product-csv'
import { ColumnTable } from './column-table.tsx'
import { firstRows } from './first-rows.ts'
import type { ImportFile } from './import-file.ts'
import { attributesQuery } from './import-queries.ts'
import { CSV_TYPE } from './import-types.ts'
import { useContents } from './use-contents.ts'

/** How the shop reads a file. */
export function FilePreview({ file }: { file: ImportFile }): ReactNode {
  return file.type === CSV_TYPE ? <CsvPreview text={file.text} /> : <Contents file={file} />
}

function CsvPreview({ text }: { text: string }): ReactNode {
  const { t } = useTranslation()
  const attributes = useQuery(attributesQuery).data ?? []
  const { header, rows } = useMemo(() => firstRows(text), [text])
  const columns = readCsvHeader(header, attributes)
  if (typeof columns === 'string') {
    return (
      <Alert color="orange" title={t('import.header')} my="sm">
        {columns}
      </Alert>
    )
  }
  return <ColumnTable columns={columns} rows={rows} attributes={attributes} />
}

function Contents({ file }: { file: ImportFile }): ReactNode {
  const contents = useContents(file)
  return (
    <Text size="sm" my="xs">
      {contents}
    </Text>
  )
}
