export interface StoredFile {
  path: string
  changedAt: Date
}

/** Far shorter than the time after which PostgreSQL ends an idle transaction, which releases its locks. */
const IN_TRANSACTION_MS = 10_000

/** A deadline for the work of a transaction in the store between two statements. */
export function transactionDeadline(): AbortSignal {
  return AbortSignal.timeout(IN_TRANSACTION_MS)
}

/**
 * The storage of files. Paths are plain: letters, digits, `_`, `-` and `.`, with slashes between them, none at the
 * start. A signal ends requests to a store on the network; a folder ignores it.
 */
export interface MediaStore {
  /** Writes a whole file or nothing; an existing one is replaced. The file is durable when this resolves. */
  put(path: string, bytes: Buffer, contentType: string, signal?: AbortSignal): Promise<void>
  /** @returns undefined when there is no such file */
  read(path: string): Promise<Buffer | undefined>
  /** Every file whose path begins with `prefix`, which ends with a slash. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<StoredFile>
  /** A missing file is not an error. */
  remove(path: string, signal?: AbortSignal): Promise<void>
}

/**
 * Waits until all promises have settled, even when some failed, so that no work continues after a lock is released.
 * @throws the first failure in the given order
 */
export async function untilAllEnd(work: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}
