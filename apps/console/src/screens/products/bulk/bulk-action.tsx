import { Button } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../session.ts'
import { isOpen, type BulkEdit } from './bulk-queries.ts'
import { useBulkActions } from './use-bulk-actions.ts'

const MINUTE_MS = 60_000
const TICK_MS = 10_000

/** What can be done about a bulk edit: cancel it while it is open, undo it within an hour of its end. */
export function BulkAction({ edit }: { edit: BulkEdit }): ReactNode {
  const { t } = useTranslation()
  const canWrite = useCan()('catalog:write')
  const { isPending, cancel, undo } = useBulkActions()
  const minutes = useMinutesUntil(edit.undoUntil)
  if (!canWrite) return null
  if (isOpen(edit)) {
    return (
      <Button size="compact-sm" loading={isPending} onClick={() => cancel(edit.id)}>
        {t('products.bulk.cancel')}
      </Button>
    )
  }
  if (minutes === undefined || minutes <= 0) return null
  return (
    <Button size="compact-sm" variant="light" loading={isPending} onClick={() => undo(edit.id)}>
      {t('products.bulk.undo', { count: minutes })}
    </Button>
  )
}

/** Whole minutes, rounded up. */
function useMinutesUntil(until: string | undefined): number | undefined {
  const [now, setNow] = useState(() => Date.now())
  useInterval(() => setNow(Date.now()), TICK_MS, { autoInvoke: true })
  if (until === undefined) return undefined
  // An end that was read after the last tick is counted from the present.
  return Math.ceil((Date.parse(until) - Math.max(now, Date.now())) / MINUTE_MS)
}
