import { Anchor, Box, CloseButton, Group, Paper, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PRODUCTS_KEY } from '../products-queries.ts'
import { BulkAction } from './bulk-action.tsx'
import { isOpen, latestBulkEditsQuery, type BulkEdit } from './bulk-queries.ts'
import { BulkProgress } from './bulk-state.tsx'
import { changeSentence } from './change-sentence.ts'

/** For how long the result stays above the list, unless it is closed. */
const SHOWN_MS = 15 * 60_000

/** Closed ones stay closed while the console is open. */
const closed = new Set<string>()

/** The bulk edits that run, and the results of those that ended recently, until they are closed. */
export function BulkStrip({ categoryNames }: { categoryNames: ReadonlyMap<string, string> }): ReactNode {
  const [, setClosed] = useState(0)
  const edits = useQuery(latestBulkEditsQuery).data
  useFreshProducts(edits)
  const shown = (edits ?? []).filter((edit) => isOpen(edit) || (isRecent(edit) && !closed.has(edit.id)))
  return shown.map((edit) => (
    <StripItem
      key={edit.id}
      edit={edit}
      categoryNames={categoryNames}
      onClose={() => {
        closed.add(edit.id)
        setClosed(closed.size)
      }}
    />
  ))
}

function isRecent({ finishedAt, undoneBy }: BulkEdit): boolean {
  return undoneBy === undefined && finishedAt !== undefined && Date.now() - Date.parse(finishedAt) < SHOWN_MS
}

/** Reads the products again whenever a bulk edit has ended, also one that was never seen running. */
function useFreshProducts(edits: readonly BulkEdit[] | undefined): void {
  const queries = useQueryClient()
  const ended = edits
    ?.filter((edit) => !isOpen(edit))
    .map(({ id }) => id)
    .join(' ')
  const before = useRef(ended)
  useEffect(() => {
    const known = before.current
    before.current = ended
    if (known !== undefined && known !== ended) void queries.invalidateQueries({ queryKey: [PRODUCTS_KEY] })
  }, [ended, queries])
}

interface StripItemProps {
  edit: BulkEdit
  categoryNames: ReadonlyMap<string, string>
  onClose: () => void
}

function StripItem({ edit, categoryNames, onClose }: StripItemProps): ReactNode {
  const { t } = useTranslation()
  const what = changeSentence(t, edit, categoryNames)
  return (
    <Paper withBorder p="xs" mb="sm" component="section" aria-label={t('products.bulk.edit', { what })}>
      <Group gap="xs" align="flex-start">
        {/* A reader reads the result, not each product on the way there. */}
        <Box flex="1 1 160px" role="status" aria-busy={isOpen(edit)}>
          <Text fw={600}>{what}</Text>
          <BulkProgress edit={edit} />
        </Box>
        <Group gap="xs" justify="flex-end">
          <Anchor renderRoot={(props) => <Link {...props} to={`/products/bulk/${edit.id}`} />}>
            {t('products.bulk.details')}
          </Anchor>
          <BulkAction edit={edit} />
        </Group>
        {!isOpen(edit) && <CloseButton onClick={onClose} aria-label={t('common.close')} />}
      </Group>
    </Paper>
  )
}
