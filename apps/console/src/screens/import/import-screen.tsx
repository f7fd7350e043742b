import { Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeFailure } from '../../parts/notices.ts'
import { Page } from '../../parts/page.tsx'
import { useCan } from '../../session.ts'
import { ExportCard } from './export-card.tsx'
import { FileCheck } from './file-check.tsx'
import { FileDrop } from './file-drop.tsx'
import { readImportFile, type ImportFile } from './import-file.ts'
import { ImportList } from './import-list.tsx'
import { DEFAULT_OPTIONS } from './import-types.ts'
import { useImportRun } from './use-import-run.ts'

/** Files into the shop, and the shop as a file. */
export function ImportScreen(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const [file, setFile] = useState<ImportFile>()
  const run = useImportRun()

  async function choose(chosen: File): Promise<void> {
    const read = await readImportFile(chosen)
    if (!read) return noticeFailure(new Error(t('import.unknownType', { name: chosen.name })))
    setFile(read)
    // At once, because a dry run changes nothing.
    await run.start(read, { ...DEFAULT_OPTIONS, dryRun: true })
  }

  return (
    <Page title={t('screens.import')}>
      {file ? (
        <FileCheck file={file} run={run} onFile={setFile} onLeave={() => (run.reset(), setFile(undefined))} />
      ) : (
        <Stack>
          {can('catalog:write') && <FileDrop onFile={(chosen) => void choose(chosen).catch(noticeFailure)} />}
          <ExportCard />
          <ImportList />
        </Stack>
      )}
    </Page>
  )
}
