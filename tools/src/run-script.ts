import { reportFailure, StartError } from './start-error.ts'

/** Runs a script that takes no argument but `--help`. @param command as it is typed, such as `npm run access` */
export async function runScript(command: string, help: string, work: () => Promise<void>): Promise<void> {
  try {
    const [argument] = process.argv.slice(2)
    if (argument === '--help' || argument === '-h') process.stdout.write(help)
    else if (argument !== undefined)
      throw new StartError(`${argument} is an unknown argument: see ${command} -- --help.`)
    else await work()
  } catch (error) {
    reportFailure(command, error)
  }
}
