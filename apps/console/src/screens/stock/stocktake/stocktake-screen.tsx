import { useMutation } from '@tanstack/react-query'
import i18next, { t } from 'i18next'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { UnsavedChangesGuard } from '../../../parts/unsaved-changes-guard.tsx'
import { Page } from '../../../parts/page.tsx'
import { queryClient } from '../../../query-client.ts'
import { applyDifferences, type Difference, type Outcome } from './apply-differences.ts'
import { CountForm } from './count-form.tsx'
import { CountPreview, type Comparison } from './count-preview.tsx'
import { CountResult } from './count-result.tsx'
import { Running } from './running.tsx'

interface Job {
  differences: Difference[]
  operationId: string
  reason: string
  /** What an earlier attempt has applied. */
  applied: Outcome[]
}

/** Counts of the shelf, compared with the shop and then applied. */
export function StocktakeScreen(): ReactNode {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [comparison, setComparison] = useState<Comparison>()
  const [done, setDone] = useState(0)
  const apply = useMutation({
    mutationFn: async ({ differences, applied, ...stocktake }: Job) => {
      setDone(0)
      return [...applied, ...(await applyDifferences(differences, stocktake, setDone))]
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['stock'] }),
  })

  function startAgain(): void {
    apply.reset()
    setComparison(undefined)
    setText('')
  }

  const { data: outcomes, variables: job } = apply
  const isUnsaved = comparison ? comparison.differences.length + comparison.unknown.length > 0 : text.trim() !== ''
  return (
    <Page title={t('stock.stocktake.title')} back={{ to: '/stock', label: t('screens.stock') }}>
      <UnsavedChangesGuard
        isDirty={apply.isPending || (isUnsaved && !outcomes)}
        {...(apply.isPending && { text: t('stock.stocktake.leave') })}
      />
      {apply.isPending ? (
        <Running label={t('stock.stocktake.applying')} done={done} total={apply.variables.differences.length} />
      ) : outcomes && job ? (
        <CountResult
          outcomes={outcomes}
          onRetry={() => apply.mutate(again(job, outcomes))}
          onUndo={() => apply.mutate(reversed(job, outcomes))}
          onAgain={startAgain}
        />
      ) : comparison ? (
        <CountPreview
          comparison={comparison}
          onBack={() => setComparison(undefined)}
          onApply={(differences) => apply.mutate(jobOf(differences))}
        />
      ) : (
        <CountForm text={text} onText={setText} onCompared={setComparison} />
      )}
    </Page>
  )
}

function jobOf(differences: Difference[]): Job {
  const now = new Date()
  const date = new Intl.DateTimeFormat(i18next.language, { dateStyle: 'medium' }).format(now)
  const reason = t('stock.stocktake.reason', { date })
  return { differences, operationId: `stocktake ${now.toISOString()}`, reason, applied: [] }
}

/** The same job with what the shop has rejected. */
function again(job: Job, outcomes: readonly Outcome[]): Job {
  return { ...job, differences: differencesOf(outcomes, false), applied: outcomes.filter(isApplied) }
}

/** The opposite of what was applied. */
function reversed({ operationId }: Job, outcomes: readonly Outcome[]): Job {
  const differences = differencesOf(outcomes, true).map((one) => ({ ...one, onHand: one.counted, counted: one.onHand }))
  return { differences, operationId: `${operationId} taken back`, reason: t('stock.undoReason'), applied: [] }
}

function isApplied({ error }: Outcome): boolean {
  return error === undefined
}

function differencesOf(outcomes: readonly Outcome[], applied: boolean): Difference[] {
  return outcomes.filter((outcome) => isApplied(outcome) === applied).map(({ difference }) => difference)
}
