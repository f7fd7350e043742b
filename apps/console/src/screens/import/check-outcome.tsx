import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import type { Corrections } from './corrections.ts'
import { FaultTable } from './fault-table.tsx'
import type { Fault } from './faults.ts'
import { ImportProgress, useStepOf } from './import-progress.tsx'
import { ImportResultView } from './import-result-view.tsx'
import { stageOf } from './run-stage.ts'
import type { ImportRun } from './use-import-run.ts'

interface CheckOutcomeProps {
  run: ImportRun
  faults: readonly Fault[]
  total: number
  corrections: Corrections
  onCorrect: (start: number, value: string) => void
}

/** What a dry run is doing, or has found. */
export function CheckOutcome({ run, faults, total, corrections, onCorrect }: CheckOutcomeProps): ReactNode {
  const { t } = useTranslation()
  const stepOf = useStepOf()
  const { run: state, cancel } = run
  const stage = stageOf(state)
  if (state.state === 'sending') {
    const step = { label: t('import.sending'), done: state.sent, total: state.total }
    return <ImportProgress step={step} note={t('import.stay')} onCancel={cancel} />
  }
  if (stage === 'working') {
    return (
      <ImportProgress
        step={stepOf(state.state === 'taken' ? state.job : undefined)}
        note={t('import.nothingYet')}
        onCancel={cancel}
      />
    )
  }
  if (stage === 'checked' && state.state === 'taken' && state.job?.result) {
    return (
      <Card title={t('import.wouldChange')}>
        <ImportResultView result={state.job.result} />
      </Card>
    )
  }
  if (stage !== 'faulty') return null
  if (faults.length > 0) {
    return <FaultTable faults={faults} total={total} corrections={corrections} onCorrect={onCorrect} />
  }
  const message = state.state === 'rejected' ? state.error.message : state.state === 'taken' && state.job?.failure
  return <Alert color="red">{message}</Alert>
}
