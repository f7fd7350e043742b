import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'

/**
 * Makes a folder for the files of a suite. It is in memory where that has room: on a busy disk a write that must be
 * durable takes seconds.
 * @returns its path; the caller removes it
 */
export async function temporaryFolder(name: string): Promise<string> {
  return mkdtemp(join(inject('servers').temporary, `${name}-`))
}
