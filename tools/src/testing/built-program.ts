import { buildPrograms } from '../programs/build-programs.ts'
import type { Program } from '../programs/program-files.ts'
import { packageCache } from './global-setup.ts'

/**
 * @returns the file of a program, built from its present sources; from now on this process starts it with compiled code
 */
export async function builtProgram(program: Program): Promise<string> {
  const { fileOf, compileCache } = await buildPrograms(packageCache())
  process.env['NODE_COMPILE_CACHE'] = compileCache
  return fileOf(program)
}
