import type { ServiceName } from '@storefront/contracts'
import { join, resolve } from 'node:path'
import type { Command } from './infrastructure/child-process.ts'

const repository = resolve(import.meta.dirname, '../..')

/** Megabytes for young objects: enough that a request dies young. Unused, it costs nothing (chassis, startup-memory.ts). */
const SEMI_SPACE_MB = 16
/**
 * Megabytes that old ones and buffers may take before V8 first looks for garbage among them. Left to itself it marks all
 * of a small heap every hundred megabytes of answers, ten times a second, which took a quarter of the machine
 * (docs/scaling.md). Memory that is not needed is not taken.
 */
const INITIAL_OLD_SPACE_MB = 112
/** Megabytes for old ones. Far more than any service needs: without a bound V8 lets garbage grow with the machine's memory. */
const OLD_SPACE_MB = 512

/** @param cacheDir what outlives a start; several data folders may share it */
export function compileCacheDir(cacheDir: string): string {
  return join(cacheDir, 'compile-cache')
}

/** @param programs what `buildPrograms` returned; without it the sources run */
export function serviceCommand(
  service: ServiceName,
  env: Record<string, string>,
  cacheDir: string,
  programs?: string,
): Command {
  return nodeCommand(programFile(join('services', service, 'src', 'main.ts'), programs), env, cacheDir)
}

export function programFile(source: string, programs?: string): string {
  return programs === undefined ? source : join(programs, source.replace(/\.ts$/, '.mjs'))
}

/** @param main the file to run, from the root of the repository */
export function nodeCommand(main: string, env: Record<string, string>, cacheDir: string): Command {
  return {
    file: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      `--max-semi-space-size=${SEMI_SPACE_MB}`,
      `--initial-old-space-size=${INITIAL_OLD_SPACE_MB}`,
      `--max-old-space-size=${OLD_SPACE_MB}`,
      main,
    ],
    cwd: repository,
    env: {
      // With the compiled code at hand a service need not load the TypeScript parser: 25 MB less, and a quicker start.
      NODE_COMPILE_CACHE: compileCacheDir(cacheDir),
      MALLOC_ARENA_MAX: '2',
      ...env,
    },
  }
}
