import { CONSOLE_HEADER } from '@storefront/contracts/console'
import { t } from 'i18next'
import { errorSentence } from '../../messages/error-sentence.ts'
import { BASE_PATH } from '../../page-settings.ts'
import { member, parsed } from '../../parts/json.ts'
import { CSV_TYPE, type ImportOptions } from './import-types.ts'
import type { ImportFile } from './import-file.ts'
import type { ImportJob, Issue } from './import-queries.ts'

/** A file was rejected or its upload failed; with the faults of its rows if the shop found any. */
export class ImportRejected extends Error {
  readonly issues: readonly Issue[]
  readonly total: number

  constructor(message: string, issues: readonly Issue[] = [], total = issues.length) {
    super(message)
    this.issues = issues
    this.total = total
  }
}

interface UploadOptions extends ImportOptions {
  dryRun: boolean
  signal: AbortSignal
  onProgress: (sent: number) => void
}

/**
 * Sends a file with its progress, which `fetch` cannot show.
 * @returns the id of the import, which the shop goes on with by itself
 * @throws ImportRejected, or the reason of the signal if it aborts an upload that cannot have changed anything
 */
export function uploadImport(file: ImportFile, options: UploadOptions): Promise<string> {
  const { signal, onProgress } = options
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${BASE_PATH}/admin/import?${queryOf(file, options)}`)
    request.setRequestHeader('content-type', file.contentType)
    request.setRequestHeader(CONSOLE_HEADER, '1')
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      const id = request.status === 202 ? idIn(request.responseText) : undefined
      if (id === undefined) reject(rejectionIn(request.responseText))
      else resolve(id)
    })
    // The shop imports a file once it has all of it, even if the response is lost; a dry run changes nothing.
    let mayApply = false
    request.upload.addEventListener('load', () => (mayApply = !options.dryRun))
    const rejection = () => new ImportRejected(t(mayApply ? 'import.unconfirmed' : 'import.broken'))
    request.addEventListener('error', () => reject(rejection()))
    request.addEventListener('abort', () => reject(mayApply ? rejection() : signal.reason))
    signal.addEventListener('abort', () => request.abort())
    request.send(file.body)
  })
}

function queryOf({ type }: ImportFile, options: UploadOptions): string {
  return new URLSearchParams({
    async: '1',
    ...(options.dryRun && { dry_run: '1' }),
    ...(type === CSV_TYPE ? queryOfCsv(options) : { mode: options.mode }),
  }).toString()
}

function queryOfCsv({ keepsLinks, columns }: UploadOptions): Record<string, string> {
  return {
    ...(keepsLinks && { keep_picture_links: '1' }),
    ...(columns.size > 0 && { columns: JSON.stringify(Object.fromEntries(columns)) }),
  }
}

function idIn(text: string): ImportJob['id'] | undefined {
  const id = member(parsed(text), 'id')
  return typeof id === 'string' ? id : undefined
}

function rejectionIn(text: string): ImportRejected {
  const body = parsed(text)
  const message = member(body, 'message')
  const detail = member(body, 'detail')
  const issues = member(detail, 'issues')
  const total = member(detail, 'total')
  const shown = Array.isArray(issues) ? issues.flatMap(issueIn) : []
  if (member(body, 'code') === 'bad_json') return new ImportRejected(t('import.notJson'))
  return new ImportRejected(
    typeof message === 'string' ? errorSentence(String(member(body, 'code')), message) : t('common.failed'),
    shown,
    typeof total === 'number' ? total : shown.length,
  )
}

function issueIn(value: unknown): Issue[] {
  const path = member(value, 'path')
  const message = member(value, 'message')
  return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : []
}
