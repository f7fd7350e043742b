import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { startPostgres } from './infrastructure/index.ts'
import { runScript } from './run-script.ts'
import { createMigratedDatabase, findStaleFiles } from './schema-files.ts'
import { StartError } from './start-error.ts'
import { packageCache } from './testing/global-setup.ts'
import { withTemporaryFolder } from './with-temporary-folder.ts'

const help = `npm run schema               updates schema.sql and src/tables.ts of each service
npm run schema -- --check    only lists those that are out of date

Uses the PostgreSQL at DATABASE_URL, as a user that may create databases and roles; without DATABASE_URL it starts one.
Works in a database of its own, which it deletes afterwards.
`

const repository = resolve(import.meta.dirname, '../..')

async function findStale(dataDir: string): Promise<Map<string, string>> {
  const postgres = await startPostgres({ dataDir, cacheDir: packageCache(), env: process.env, print: () => {} })
  try {
    const database = await createMigratedDatabase(postgres.url)
    try {
      return await findStaleFiles(database)
    } finally {
      await database.drop()
    }
  } finally {
    await postgres.stop()
  }
}

await runScript(
  { command: 'npm run schema', help, options: { check: { type: 'boolean' } }, what: 'The dump' },
  async ({ values: { check = false } }) => {
    const stale = await withTemporaryFolder('schema', findStale)
    for (const [path, text] of stale) {
      if (!check) await writeFile(join(repository, path), text)
      process.stdout.write(check ? `${path} is out of date\n` : `${path} written\n`)
    }
    if (stale.size === 0) process.stdout.write('Everything made from the migrations is up to date.\n')
    else if (check) throw new StartError('Run npm run schema.')
  },
)
