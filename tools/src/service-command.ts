import { resolve } from 'node:path'
import type { Command } from './infrastructure/child-process.ts'
import type { Programs } from './programs/build-programs.ts'
import type { Program } from './programs/program-files.ts'

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

/**
 * Memory of this size is returned as soon as it is free. Otherwise the C library raises the size while it runs, and
 * kept 600 MB after pictures were uploaded (docs/decisions/0014-media.md).
 */
const MAPPED_BYTES = '1048576'

/** The command that runs a service, or all of them in one process. */
export function serviceCommand(program: Program, env: Record<string, string>, programs: Programs): Command {
  return {
    file: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      `--max-semi-space-size=${SEMI_SPACE_MB}`,
      `--initial-old-space-size=${INITIAL_OLD_SPACE_MB}`,
      `--max-old-space-size=${OLD_SPACE_MB}`,
      programs.fileOf(program),
    ],
    cwd: repository,
    env: {
      NODE_COMPILE_CACHE: programs.compileCache,
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: MAPPED_BYTES,
      ...env,
    },
  }
}
