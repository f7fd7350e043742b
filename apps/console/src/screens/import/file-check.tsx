import { Button, Group, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { UnsavedChangesDialog } from '../../parts/unsaved-changes-dialog.tsx'
import { UnsavedChangesGuard } from '../../parts/unsaved-changes-guard.tsx'
import { CheckOutcome } from './check-outcome.tsx'
import { FilePreview } from './file-preview.tsx'
import type { ImportFile } from './import-file.ts'
import { ImportOptionFields } from './import-option-fields.tsx'
import type { ImportOptions } from './import-types.ts'
import { stageOf, type Stage } from './run-stage.ts'
import { useCsvColumns } from './use-csv-columns.ts'
import { useFileCheck } from './use-file-check.ts'
import type { ImportRun } from './use-import-run.ts'

interface FileCheckProps {
  file: ImportFile
  initial: ImportOptions
  /** Otherwise the merchant first says what the columns mean. */
  isReady: boolean
  run: ImportRun
  onFile: (file: ImportFile) => void
  onLeave: () => void
}

/** What a file would do: how it is read, its faults to correct, and the import itself. */
export function FileCheck({ file, initial, isReady, run, onFile, onLeave }: FileCheckProps): ReactNode {
  const { t } = useTranslation()
  const check = useFileCheck({ file, initial, run, onFile })
  const { options, isDirty } = check
  const [isConfirming, setConfirming] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const stage = stageOf(run.run)
  const isWorking = stage === 'working'
  const reading = useCsvColumns(file, options.columns)
  const shared = { options, isDisabled: isWorking, onChange: check.changeOptions }
  const preview = <FilePreview file={file} reading={reading} {...shared} />

  return (
    <form onSubmit={check.check}>
      <Stack>
        <Card
          title={file.name}
          action={
            <Button onClick={() => (isDirty ? setLeaving(true) : onLeave())} disabled={isWorking}>
              {t('import.other')}
            </Button>
          }
        >
          <ImportOptionFields type={file.type} {...shared} />
        </Card>
        {!isReady && preview}
        <CheckOutcome run={run} {...check.found} onCorrect={check.correct} />
        {!isWorking && (
          <CheckActions
            stage={stage}
            canCheck={(reading?.missing.length ?? 0) === 0}
            onStart={() => (options.mode === 'replace' ? setConfirming(true) : void check.apply())}
            onDownload={check.isCorrected ? check.download : undefined}
          />
        )}
        {isReady && preview}
        <TypedConfirmation
          opened={isConfirming}
          title={t('import.replaceTitle')}
          text={t('import.replaceText')}
          word={file.name}
          action={t('import.start')}
          onClose={() => setConfirming(false)}
          onConfirm={() => void check.apply()}
        />
        <UnsavedChangesDialog opened={isLeaving} onStay={() => setLeaving(false)} onLeave={onLeave} />
        <UnsavedChangesGuard isDirty={isDirty || run.run.state === 'sending'} />
      </Stack>
    </form>
  )
}

interface CheckActionsProps {
  stage: Stage
  canCheck: boolean
  onStart: () => void
  /** Undefined for a file that was not corrected here. */
  onDownload: (() => void) | undefined
}

function CheckActions({ stage, canCheck, onStart, onDownload }: CheckActionsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Group>
      {stage === 'checked' ? (
        <Button variant="filled" onClick={onStart}>
          {t('import.start')}
        </Button>
      ) : (
        <Button variant="filled" type="submit" disabled={!canCheck}>
          {stage === 'unchecked' ? t('import.check') : t('import.checkAgain')}
        </Button>
      )}
      {onDownload && <Button onClick={onDownload}>{t('import.downloadCorrected')}</Button>}
      {stage === 'checked' && <Text c="dimmed">{t('import.nothingYet')}</Text>}
    </Group>
  )
}
