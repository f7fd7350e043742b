import { buildConsole } from './build-console.ts'

await buildConsole({ print: (line) => process.stdout.write(`${line}\n`) })
