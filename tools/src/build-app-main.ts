import { APPS, buildApp, type AppName } from './build-app.ts'

const isApp = (name: string | undefined): name is AppName => name !== undefined && Object.hasOwn(APPS, name)

const [name] = process.argv.slice(2)
if (isApp(name)) await buildApp(name, { print: (line) => process.stdout.write(`${line}\n`) })
else {
  process.stderr.write(`Name one of ${Object.keys(APPS).join(', ')}.\n`)
  process.exitCode = 2
}
