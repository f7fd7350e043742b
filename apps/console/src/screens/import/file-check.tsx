import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { saveFile } from '../../parts/download.ts'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { UnsavedChangesDialog } from '../../parts/unsaved-changes-dialog.tsx'
import { UnsavedChangesGuard } from '../../parts/unsaved-changes-guard.tsx'
import { CheckOutcome } from './check-outcome.tsx'
import { corrected, type Corrections } from './corrections.ts'
import { locateFaults } from './faults.ts'
import { CsvPreview, FileContents } from './file-preview.tsx'
import { withText, type ImportFile } from './import-file.ts'
import { ImportOptionFields } from './import-option-fields.tsx'
import type { ImportOptions } from './import-types.ts'
import { issuesOf, stageOf } from './run-stage.ts'
import { useCsvColumns } from './use-csv-columns.ts'
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
  const navigate = useNavigate()
  const [options, setOptions] = useState<ImportOptions>(initial)
  const [corrections, setCorrections] = useState<Corrections>(new Map())
  const [isConfirming, setConfirming] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const [downloaded, setDownloaded] = useState<ImportFile>()
  const stage = stageOf(run.run)
  const { issues, total } = issuesOf(run.run)
  const faults = useMemo(() => locateFaults(issues, file), [issues, file])
  const reading = useCsvColumns(file, options.columns)
  // A corrected file is only here until it is downloaded.
  const isCorrected = !(file.body instanceof File) && file !== downloaded
  const isDirty = corrections.size > 0 || isCorrected

  function takeCorrections(): ImportFile {
    if (corrections.size === 0) return file
    const next = withText(file, corrected(file.text, faults, corrections))
    onFile(next)
    setCorrections(new Map())
    return next
  }

  function changeOptions(next: ImportOptions): void {
    takeCorrections()
    setOptions(next)
    run.reset()
  }

  function check(event: FormEvent): void {
    event.preventDefault()
    void run.start(takeCorrections(), { ...options, dryRun: true })
  }

  async function apply(): Promise<void> {
    const id = await run.start(file, { ...options, dryRun: false })
    if (id !== undefined) await navigate({ to: '/import/$id', params: { id }, ignoreBlocker: true })
  }

  const preview = (
    <Card title={t('import.preview')} {...(reading && { text: t('import.previewText') })}>
      {reading ? (
        <CsvPreview
          reading={reading}
          choices={options.columns}
          isDisabled={stage === 'working'}
          onChoose={(columns) => changeOptions({ ...options, columns })}
        />
      ) : (
        <FileContents file={file} />
      )}
    </Card>
  )

  return (
    <form onSubmit={check}>
      <Stack>
        <Card
          title={file.name}
          action={
            <Button onClick={() => (isDirty ? setLeaving(true) : onLeave())} disabled={stage === 'working'}>
              {t('import.other')}
            </Button>
          }
        >
          <ImportOptionFields
            type={file.type}
            options={options}
            isDisabled={stage === 'working'}
            onChange={changeOptions}
          />
        </Card>
        {!isReady && preview}
        <CheckOutcome
          run={run}
          faults={faults}
          total={total}
          corrections={corrections}
          onCorrect={(start, value) => setCorrections((before) => new Map(before).set(start, value))}
        />
        {stage !== 'working' && (
          <Group>
            {stage === 'checked' ? (
              <Button
                variant="filled"
                onClick={() => (options.mode === 'replace' ? setConfirming(true) : void apply())}
              >
                {t('import.start')}
              </Button>
            ) : (
              <Button variant="filled" type="submit" disabled={(reading?.missing.length ?? 0) > 0}>
                {stage === 'unchecked' ? t('import.check') : t('import.checkAgain')}
              </Button>
            )}
            {file.body instanceof File ? null : (
              <Button
                onClick={() => {
                  saveFile(file.name, file.body)
                  setDownloaded(file)
                }}
              >
                {t('import.downloadCorrected')}
              </Button>
            )}
            {stage === 'checked' && <Text c="dimmed">{t('import.nothingYet')}</Text>}
          </Group>
        )}
        {isReady && preview}
        <TypedConfirmation
          opened={isConfirming}
          title={t('import.replaceTitle')}
          text={t('import.replaceText')}
          word={file.name}
          action={t('import.start')}
          onClose={() => setConfirming(false)}
          onConfirm={() => void apply()}
        />
        <UnsavedChangesDialog opened={isLeaving} onStay={() => setLeaving(false)} onLeave={onLeave} />
        <UnsavedChangesGuard isDirty={isDirty || run.run.state === 'sending'} />
      </Stack>
    </form>
  )
}
