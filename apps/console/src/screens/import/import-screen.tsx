import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeFailure } from '../../parts/notices.ts'
import { Page } from '../../parts/page.tsx'
import { useCan } from '../../session.ts'
import { vocabularyQuery } from '../library/library-queries.ts'
import { ExportCard } from './export-card.tsx'
import { FileCheck } from './file-check.tsx'
import { FileDrop } from './file-drop.tsx'
import { readImportFile, type ImportFile } from './import-file.ts'
import { ImportList } from './import-list.tsx'
import { CSV_TYPE, DEFAULT_OPTIONS, type ImportOptions } from './import-types.ts'
import { rememberedChoices } from './remembered-choices.ts'
import { readColumns } from './use-csv-columns.ts'
import { useImportRun } from './use-import-run.ts'

/** Files into the shop, and the shop as a file. */
export function ImportScreen(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const client = useQueryClient()
  const [chosen, setChosen] = useState<{ file: ImportFile; options: ImportOptions; isReady: boolean }>()
  const run = useImportRun()

  async function choose(picked: File): Promise<void> {
    const file = await readImportFile(picked)
    if (!file) return noticeFailure(new Error(t('import.unknownType', { name: picked.name })))
    const { options, isReady } = await optionsFor(file)
    setChosen({ file, options, isReady })
    // At once, because a dry run changes nothing.
    if (isReady) await run.start(file, { ...options, dryRun: true })
  }

  /** A CSV is ready when all columns that are needed are known. */
  async function optionsFor(file: ImportFile): Promise<{ options: ImportOptions; isReady: boolean }> {
    if (file.type !== CSV_TYPE) return { options: DEFAULT_OPTIONS, isReady: true }
    const { items: attributes } = await client.ensureQueryData(vocabularyQuery)
    const columns = rememberedChoices(readColumns(file.text, attributes, new Map()).header, attributes)
    const { missing } = readColumns(file.text, attributes, columns)
    return { options: { ...DEFAULT_OPTIONS, columns }, isReady: missing.length === 0 }
  }

  return (
    <Page title={t('screens.import')}>
      {chosen ? (
        <FileCheck
          file={chosen.file}
          initial={chosen.options}
          isReady={chosen.isReady}
          run={run}
          onFile={(file) => setChosen({ ...chosen, file })}
          onLeave={() => (run.reset(), setChosen(undefined))}
        />
      ) : (
        <Stack>
          {can('catalog:write') && <FileDrop onFile={(picked) => void choose(picked).catch(noticeFailure)} />}
          <ExportCard />
          <ImportList />
        </Stack>
      )}
    </Page>
  )
}
