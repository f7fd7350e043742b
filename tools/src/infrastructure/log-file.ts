import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../files.ts'

const mostBytes = 10_000_000

/** Opens a log for appending: its writer continues at the start of the file after that was emptied. */
export function openLog(path: string): number {
  makeFolder(dirname(path))
  truncateLog(path)
  return openSync(path, 'a', 0o600)
}

/** Keeps one old log beside the new one. */
export function rotateLog(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.old`)
}

/**
 * Empties a large log, whose last lines stay beside it. Its writer keeps it open for as long as it runs. Lines that it
 * writes in the milliseconds between the copy and the cut are lost.
 */
export function truncateLog(path: string): void {
  const size = logSize(path)
  if (size <= mostBytes) return
  try {
    const file = openSync(path, 'r')
    const tail = Buffer.alloc(mostBytes)
    const length = readSync(file, tail, 0, mostBytes, size - mostBytes)
    closeSync(file)
    writeFileSync(`${path}.old`, tail.subarray(0, length), { mode: 0o600 })
    truncateSync(path)
  } catch {
    // The disk is full, for example: the next check tries again.
  }
}

export function logSize(path: string): number {
  return existsSync(path) ? statSync(path).size : 0
}

/** The last non-empty lines after `fromByte`, newest last; all lines of a log that was emptied since. */
export function lastLines(path: string, count: number, fromByte = 0): string[] {
  if (!existsSync(path)) return []
  const content = readFileSync(path)
  const isCut = content.length < fromByte
  const lines = content
    .subarray(isCut ? 0 : fromByte)
    .toString('utf8')
    .slice(-20_000)
    .split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-count)
}
