import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { messageOf, StartError } from './start-error.ts'

/**
 * Reads the options of a command, and up to `most` other arguments.
 * @param command as it is typed, such as `npm run backup`
 * @throws StartError which names the argument and how to see those that are known
 */
export function readOptions<const Options extends ParseArgsOptionsConfig>(
  command: string,
  options: Options,
  { args = process.argv.slice(2), most = 0 }: { args?: readonly string[]; most?: number } = {},
) {
  const { values, positionals } = parsed(command, options, args)
  const surplus = positionals[most]
  if (surplus !== undefined) throw wrong(command, surplus, 'is an unknown argument')
  return { values, positionals }
}

function parsed<const Options extends ParseArgsOptionsConfig>(
  command: string,
  options: Options,
  args: readonly string[],
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    const text = messageOf(error)
    const name = /'(?:-\w, )?(-[^' ]+)/.exec(text)?.[1] ?? ''
    if (text.startsWith('Unknown option')) throw wrong(command, name, 'is an unknown argument')
    throw wrong(command, name, text.includes('does not take') ? 'takes no value' : 'needs a value')
  }
}

function wrong(command: string, argument: string, fault: string): StartError {
  return new StartError(`${argument} ${fault}: see ${command} -- --help.`)
}

const WHOLE_NUMBER = /^\d{1,15}$/

/** The value of `--last-invoice`; 0 without it. @throws StartError when it is not the number of an invoice */
export function readLastInvoice(text = '0'): number {
  if (WHOLE_NUMBER.test(text)) return Number(text)
  throw new StartError('--last-invoice must be the number of the last invoice that was sent, such as 4711.')
}

/** The value of `--last-order`; 0 without it. @throws StartError when it is not the number of an order */
export function readLastOrder(text = '0'): number {
  if (WHOLE_NUMBER.test(text)) return Number(text)
  throw new StartError("--last-order must be the number of the last order without the shop's prefix, such as 10042.")
}

/** Like `readOptions`, but prints `--help` or an error, and exits. */
export function optionsOrExit<const Options extends ParseArgsOptionsConfig>({
  command,
  help,
  options,
  args,
}: {
  command: string
  help: string
  options: Options
  args?: readonly string[]
}) {
  try {
    const { values } = readOptions(command, options, args && { args })
    if (!('help' in values)) return values
    process.stdout.write(help)
    return process.exit(0)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    return process.exit(2)
  }
}
