import { buildPrograms } from '../programs/build-programs.ts'
import type { Program } from '../programs/program-files.ts'
import { packageCache } from './global-setup.ts'

/** @returns the file of a program, built from its present sources */
export async function builtProgram(program: Program): Promise<string> {
  return (await buildPrograms(packageCache())).fileOf(program)
}
