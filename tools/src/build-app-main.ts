import { APPS, buildApp, type AppName } from './build-app.ts'
import { optionsOrExit } from './read-options.ts'

const isApp = (name: string | undefined): name is AppName => name !== undefined && Object.hasOwn(APPS, name)

const [name, ...args] = process.argv.slice(2)
if (!isApp(name)) throw new Error(`name one of ${Object.keys(APPS).join(', ')}`)
const help = `npm run ${name}           builds the ${name} as npm start serves it\n`
optionsOrExit({ command: `npm run ${name}`, help, args, options: { help: { type: 'boolean' } } })
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
await buildApp(name, { print: (line) => process.stdout.write(`${line}\n`), signal: stopping.signal })
if (stopping.signal.aborted) process.exitCode = 130
