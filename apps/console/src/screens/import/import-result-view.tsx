import { Alert, List, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numeral } from '../../parts/formats.ts'
import type { ImportResult } from './import-queries.ts'

const COUNTS = ['created', 'updated', 'deleted', 'unchanged'] as const
const SHOWN_CHANGES = 20

export function ImportResultView({ result }: { result: ImportResult }): ReactNode {
  const { t } = useTranslation()
  const { settingsChanged, pictures = 0, changes = [], dryRun = false } = result
  const { columnsNotTaken = [], unknownSettings = [] } = result
  return (
    <Stack>
      <CountTable result={result} />
      {settingsChanged && <Text>{t('import.result.settings')}</Text>}
      {pictures > 0 && (
        <Text>
          {dryRun
            ? t('import.result.picturesFound', { count: pictures })
            : t('import.result.pictures', { count: pictures })}
        </Text>
      )}
      {changes.length > 0 && (
        <section>
          <Text fw={600}>{t('import.result.changes')}</Text>
          <List size="sm">
            {changes.slice(0, SHOWN_CHANGES).map(({ slug, fields }) => (
              <List.Item key={slug} className="wrap">
                {slug}: {fields.join(', ')}
              </List.Item>
            ))}
            {changes.length > SHOWN_CHANGES && (
              <List.Item>{t('import.result.moreChanges', { count: changes.length - SHOWN_CHANGES })}</List.Item>
            )}
          </List>
        </section>
      )}
      {columnsNotTaken.length > 0 && (
        <Alert color="yellow" title={t('import.result.notTaken')}>
          {columnsNotTaken.join(', ')}
        </Alert>
      )}
      {unknownSettings.length > 0 && (
        <Alert color="yellow" title={t('import.result.unknownSettings')}>
          {unknownSettings.join(', ')}
        </Alert>
      )}
    </Stack>
  )
}

function CountTable({ result }: { result: ImportResult }): ReactNode {
  const { t } = useTranslation()
  const kinds = (['products', 'categories', 'collections', 'sizeCharts', 'reviews', 'library', 'discounts'] as const)
    .map((kind) => ({ kind, counts: result.counts[kind] }))
    .filter(({ counts }) => counts && COUNTS.some((name) => counts[name] > 0))
  if (kinds.length === 0) return <Text>{t('import.result.nothing')}</Text>
  return (
    <Table className="data-table" aria-label={t('import.result.counts')} fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('import.result.kind')}</Table.Th>
          {COUNTS.map((name) => (
            <Table.Th key={name} className="number">
              {t(`import.result.${name}`)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {kinds.map(({ kind, counts }) => (
          <Table.Tr key={kind}>
            <Table.Th fw={400}>{t(`import.kind.${kind}`)}</Table.Th>
            {COUNTS.map((name) => (
              <Table.Td key={name} className="number">
                {numeral(counts?.[name] ?? 0)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
