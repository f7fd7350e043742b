import type { ServiceName } from '@storefront/contracts'
import { join, resolve } from 'node:path'
import type { Command } from './infrastructure/child-process.ts'

const repository = resolve(import.meta.dirname, '../..')

/**
 * Megabytes for young objects: enough that the objects of a request are collected while young. Unused, it takes no
 * memory.
 */
const SEMI_SPACE_MB = 16
/**
 * Megabytes of old objects and buffers after which V8 first collects garbage among them. By default it marks all of a
 * small heap every hundred megabytes of responses, ten times a second, which took a quarter of the machine
 * (docs/scaling.md). Memory that is not needed is not allocated.
 */
const INITIAL_OLD_SPACE_MB = 112
/**
 * Megabytes for old objects: far more than any service needs. Without a limit V8 lets garbage grow with the machine's
 * memory.
 */
const OLD_SPACE_MB = 512

/** @param cacheDir the folder of cached files; several data folders may share it */
export function compileCacheDir(cacheDir: string): string {
  return join(cacheDir, 'compile-cache')
}

/** @param programs the folder that `buildPrograms` returned; without it the sources run */
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
      // With cached compiled code a service does not load the TypeScript parser: 25 MB less, and a faster start.
      NODE_COMPILE_CACHE: compileCacheDir(cacheDir),
      MALLOC_ARENA_MAX: '2',
      ...env,
    },
  }
}
