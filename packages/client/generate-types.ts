import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import openapiTypescript, { astToString, COMMENT_HEADER } from 'openapi-typescript'

const document = resolve(import.meta.dirname, '../../docs/openapi.json')
const target = resolve(import.meta.dirname, 'src/openapi.ts')

/** Examples and code samples are for the readers of /docs: as comments they would double the size of the package. */
const FOR_READERS = new Set(['example', 'examples', 'x-codeSamples'])

async function typesOfDescription(): Promise<string> {
  const described: unknown = JSON.parse(await readFile(document, 'utf8'), (key: string, value: unknown) =>
    FOR_READERS.has(key) ? undefined : value,
  )
  const types = await openapiTypescript(JSON.stringify(described), { defaultNonNullable: false, silent: true })
  return `${COMMENT_HEADER}${astToString(types)}`
}

const text = await typesOfDescription()
const isStale = (await readFile(target, 'utf8').catch(() => '')) !== text
if (process.argv.includes('--check')) {
  if (isStale) {
    process.stderr.write('packages/client/src/openapi.ts is out of date; run: npm run client\n')
    process.exitCode = 1
  }
} else {
  if (isStale) await writeFile(target, text)
  process.stdout.write(
    isStale ? 'packages/client/src/openapi.ts written\n' : 'packages/client/src/openapi.ts is up to date.\n',
  )
}
