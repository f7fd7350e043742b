import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { runScript } from '../run-script.ts'
import { StartError } from '../start-error.ts'
import { recordExamples } from './record.ts'

const help = `npm run examples    records examples of every operation of the API into services/gateway/examples

Starts a demo shop for this, in a folder and on ports of its own. Replaces what differs between runs, such as
ids, times and secrets, so that a second run writes the same.
`

const target = resolve(import.meta.dirname, '../../../services/gateway/examples')

/** @returns how many files have changed */
async function write(examples: ReadonlyMap<string, unknown>): Promise<number> {
  await mkdir(target, { recursive: true })
  const known = await readdir(target)
  const texts = new Map([...examples].map(([name, one]) => [`${name}.json`, `${JSON.stringify(one, null, 2)}\n`]))
  let changed = 0
  for (const [name, text] of texts) {
    const path = join(target, name)
    if ((await readFile(path, 'utf8').catch(() => '')) === text) continue
    await writeFile(path, text)
    changed++
  }
  for (const name of known.filter((one) => !texts.has(one))) {
    await rm(join(target, name))
    changed++
  }
  return changed
}

await runScript({ command: 'npm run examples', help, options: {} }, async () => {
  const { examples, missing } = await recordExamples()
  const changed = await write(examples)
  process.stdout.write(`${examples.size} operations have examples, ${changed} files have changed.\n`)
  if (missing.length > 0) throw new StartError(`No example was recorded of ${missing.join(', ')}.`)
})
