import { messageOf, StartError } from '../start-error.ts'
import { describeResult, importFile } from './import-file.ts'
import { exportFile } from './export-file.ts'
import { helpOf, readTransferArguments } from './transfer-arguments.ts'
import { showTransferProgress } from './transfer-progress.ts'

/** Runs the command, and exits: 0 after success, 1 after an error, 2 for invalid arguments, 130 after Ctrl-C. */
export async function runTransfer(command: 'import' | 'export'): Promise<never> {
  const progress = showTransferProgress(process.stderr, () => performance.now())
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort())
  try {
    const given = readTransferArguments(command, process.argv.slice(2), process.env)
    if (given === 'help') {
      process.stdout.write(helpOf(command))
      process.exit(0)
    }
    if (!given) {
      process.stderr.write(helpOf(command))
      process.exit(2)
    }
    const options = { progress, signal: stopping.signal }
    if (command === 'import') {
      const result = await importFile(given, options)
      progress.end()
      process.stdout.write(describeResult(result))
    } else {
      const rows = await exportFile(given, options)
      progress.end()
      process.stdout.write(`${given.file}${rows === undefined ? '' : `: ${rows.toLocaleString('en-US')} rows`}\n`)
    }
    process.exit(0)
  } catch (error) {
    progress.end()
    const text = error instanceof StartError ? error.message : `Unexpected error: ${messageOf(error)}`
    process.stderr.write(`${text}\n`)
    process.exit(stopping.signal.aborted ? 130 : 1)
  }
}
