import { SCHEMA_SETS, type SchemaSet } from './event-schemas/schema-sets.ts'
import { updateSchemas, type Update } from './event-schemas/update-schemas.ts'
import { runScript } from './run-script.ts'
import { StartError } from './start-error.ts'

const help = `npm run event-schemas               writes the JSON Schema of every event into packages/contracts/event-schemas, and of the
                                    body of every webhook into packages/contracts/webhook-schemas
npm run event-schemas -- --check    only lists those that are out of date

A change that breaks consumers of published events is rejected: give the event a new name, such as order.paid.v2, and
publish both until the old one has no consumer left. A change that cannot harm any consumer is accepted, and noted in
CHANGES.md, with:

npm run event-schemas -- --accept order.paid --because "the field was never filled"

--accept webhook/order.paid means the body of the webhook.
`

async function update(options: {
  accepted: { names: readonly string[]; because: string } | undefined
  today: string
  check: boolean
}): Promise<Update> {
  const { accepted, today, check } = options
  const all: Update = { stale: [], rejected: [] }
  for (const set of SCHEMA_SETS) {
    const accept = accepted && { events: namesOf(set, accepted.names), because: accepted.because }
    const { folder, prefix, schemas } = set
    const { stale, rejected } = await updateSchemas({ folder, schemas, today, check, ...(accept && { accept }) })
    all.stale.push(...stale.map((name) => `${prefix}${name}`))
    all.rejected.push(...rejected.map((fault) => `${prefix}${fault}`))
  }
  return all
}

/** Those of the given names that belong to this set, without its prefix. */
function namesOf({ prefix }: SchemaSet, names: readonly string[]): string[] {
  if (prefix === '') return names.filter((name) => !name.includes('/'))
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

await runScript(
  {
    command: 'npm run event-schemas',
    help,
    options: { check: { type: 'boolean' }, accept: { type: 'string', multiple: true }, because: { type: 'string' } },
  },
  async ({ values: { check = false, accept, because } }) => {
    if ((accept === undefined) !== (because === undefined || because.trim() === '')) {
      throw new StartError(
        '--accept and --because go together: name the event that may break, and why no consumer is harmed.',
      )
    }
    const today = new Date().toISOString().slice(0, 10)
    const accepted = accept && because !== undefined ? { names: accept, because } : undefined
    const found = await update({ accepted, today, check: true })
    // Nothing is written while there is an error.
    const { stale, rejected } = check || found.rejected.length > 0 ? found : await update({ accepted, today, check })
    for (const name of stale)
      process.stdout.write(`${name} ${check || rejected.length > 0 ? 'is out of date' : 'written'}\n`)
    for (const fault of rejected) process.stdout.write(`${fault}\n`)
    if (rejected.length > 0)
      throw new StartError('Consumers of a published event would break: see npm run event-schemas -- --help.')
    if (stale.length === 0) process.stdout.write('Every schema is up to date.\n')
    else if (check) throw new StartError('Run npm run event-schemas.')
  },
)
