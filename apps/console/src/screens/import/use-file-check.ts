import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState, type FormEvent } from 'react'
import { saveFile } from '../../parts/download.ts'
import { corrected, type Corrections } from './corrections.ts'
import { locateFaults } from './faults.ts'
import { withText, type ImportFile } from './import-file.ts'
import type { ImportOptions } from './import-types.ts'
import { issuesOf } from './run-stage.ts'
import type { ImportRun } from './use-import-run.ts'

interface FileCheckOptions {
  file: ImportFile
  initial: ImportOptions
  run: ImportRun
  onFile: (file: ImportFile) => void
}

/** How a file is read, its faults with what was typed to correct them, and the check and the import of it. */
export function useFileCheck({ file, initial, run, onFile }: FileCheckOptions) {
  const navigate = useNavigate()
  const [options, setOptions] = useState(initial)
  const [corrections, setCorrections] = useState<Corrections>(new Map())
  const [downloaded, setDownloaded] = useState<ImportFile>()
  const { issues, total } = issuesOf(run.run)
  const faults = useMemo(() => locateFaults(issues, file), [issues, file])
  const isCorrected = !(file.body instanceof File)

  function takeCorrections(): ImportFile {
    if (corrections.size === 0) return file
    const next = withText(file, corrected(file.text, faults, corrections))
    onFile(next)
    setCorrections(new Map())
    return next
  }

  return {
    options,
    found: { faults, total, corrections },
    isCorrected,
    // A corrected file is only here until it is downloaded.
    isDirty: corrections.size > 0 || (isCorrected && file !== downloaded),
    correct: (start: number, value: string) => setCorrections((before) => new Map(before).set(start, value)),
    download: () => {
      saveFile(file.name, file.body)
      setDownloaded(file)
    },
    changeOptions: (next: ImportOptions) => {
      takeCorrections()
      setOptions(next)
      run.reset()
    },
    check: (event: FormEvent) => {
      event.preventDefault()
      void run.start(takeCorrections(), { ...options, dryRun: true })
    },
    apply: async () => {
      const id = await run.start(file, { ...options, dryRun: false })
      if (id !== undefined) await navigate({ to: '/import/$id', params: { id }, ignoreBlocker: true })
    },
  }
}
