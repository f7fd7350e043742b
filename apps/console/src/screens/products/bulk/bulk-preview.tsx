import { Box, Skeleton, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../../../parts/failure.tsx'
import { BulkProblems } from './bulk-problems.tsx'
import type { BulkPreview as Preview, BulkSample } from './bulk-queries.ts'
import { BulkScroll } from './bulk-scroll.tsx'
import { FieldChanges } from './field-changes.tsx'

interface BulkPreviewProps {
  /** Undefined until it has arrived. */
  preview: Preview | undefined
  /** Whether it is of what was entered before. */
  isOld: boolean
  error: unknown
  /** Whether enough is entered for a preview. */
  isWanted: boolean
  categoryNames: ReadonlyMap<string, string>
}

/** What a bulk edit would do: counts, some of the products, and those that cannot be changed. */
export function BulkPreview({ preview, isOld, error, isWanted, categoryNames }: BulkPreviewProps): ReactNode {
  const { t } = useTranslation()
  if (!isWanted) return <Text c="dimmed">{t('products.bulk.previewWaits')}</Text>
  if (error) return <Failure error={error} />
  if (!preview) return <Skeleton height={120} />
  const { changed, unchanged, failed, sample, problems } = preview
  return (
    <Stack gap="xs" opacity={isOld ? 0.5 : 1} aria-busy={isOld}>
      <Text role="status">
        {[
          t('products.bulk.willChange', { count: changed }),
          ...(unchanged > 0 ? [t('products.bulk.staySame', { count: unchanged })] : []),
        ].join(' ')}
      </Text>
      <BulkProblems count={failed} problems={problems} title={t('products.bulk.cannotChange', { count: failed })} />
      {sample.length > 0 && <Samples samples={sample} changed={changed} categoryNames={categoryNames} />}
    </Stack>
  )
}

interface SamplesProps {
  samples: readonly BulkSample[]
  changed: number
  categoryNames: ReadonlyMap<string, string>
}

function Samples({ samples, changed, categoryNames }: SamplesProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Box>
      <BulkScroll label={t('products.bulk.preview')}>
        <Table verticalSpacing={4} fz="sm" aria-label={t('products.bulk.preview')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('products.title')}</Table.Th>
              <Table.Th>{t('products.bulk.beforeAfter')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {samples.map((sample) => (
              <Table.Tr key={sample.id}>
                <Table.Td>{sample.title}</Table.Td>
                <Table.Td>
                  <FieldChanges sample={sample} categoryNames={categoryNames} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </BulkScroll>
      {changed > samples.length && (
        <Text className="small dimmed" mt={4}>
          {t('products.bulk.moreChanged', { count: changed - samples.length })}
        </Text>
      )}
    </Box>
  )
}
