import { Alert, Button, Group, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Outcome } from './apply-differences.ts'
import { DifferenceTable } from './count-preview.tsx'

interface CountResultProps {
  outcomes: readonly Outcome[]
  onRetry: () => void
  onUndo: () => void
  onAgain: () => void
}

/** What was applied, and what the shop rejected. */
export function CountResult({ outcomes, onRetry, onUndo, onAgain }: CountResultProps): ReactNode {
  const { t } = useTranslation()
  const applied = outcomes.filter(({ error }) => error === undefined).map(({ difference }) => difference)
  const failed = outcomes.filter(({ error }) => error !== undefined).map(({ difference }) => difference)
  const errors = new Map(outcomes.map(({ difference, error }) => [difference.variantId, error ?? '']))
  return (
    <Stack>
      <Alert color="teal" role="status">
        {t('stock.stocktake.applied', { count: applied.length })}
      </Alert>
      {failed.length > 0 && (
        <>
          <Alert color="red">{t('stock.stocktake.rejected', { count: failed.length })}</Alert>
          <DifferenceTable differences={failed} errorOf={({ variantId }) => errors.get(variantId) ?? ''} />
        </>
      )}
      <Group>
        <Button variant="filled" component={Link} to="/stock">
          {t('stock.stocktake.finish')}
        </Button>
        {failed.length > 0 && <Button onClick={onRetry}>{t('common.retry')}</Button>}
        {applied.length > 0 && <Button onClick={onUndo}>{t('stock.stocktake.undo')}</Button>}
        <Button variant="subtle" onClick={onAgain}>
          {t('stock.stocktake.again')}
        </Button>
      </Group>
    </Stack>
  )
}
