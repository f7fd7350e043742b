import { existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../files.ts'

const rotateAtBytes = 10_000_000

/** Opens a log for appending. Renames a large one first. */
export function openLog(path: string): number {
  makeFolder(dirname(path))
  if (existsSync(path) && statSync(path).size > rotateAtBytes) putLogAside(path)
  return openSync(path, 'a', 0o600)
}

/** Keeps one old log beside the new one. */
export function putLogAside(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.old`)
}

export function logSize(path: string): number {
  return existsSync(path) ? statSync(path).size : 0
}

/** The last non-empty lines after `fromByte`, newest last. */
export function lastLines(path: string, count: number, fromByte = 0): string[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path).subarray(fromByte).toString('utf8').slice(-20_000).split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-count)
}
