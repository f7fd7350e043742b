import { extname } from 'node:path'
import { readOptions } from '../read-options.ts'
import { StartError } from '../start-error.ts'

const importHelp = `npm run import -- FILE       loads a shop or a part of one; when it fails, nothing is changed
FILE ends in .json, .ndjson or .csv (a product CSV in the format of Shopify).

  --mode merge|replace       merge keeps what FILE does not name, replace deletes it; by default the mode in FILE
  --dry-run                  checks everything and prints what would change; changes nothing
  --keep-picture-links       for a CSV: products link to their pictures, which the shop otherwise downloads
  --columns '{"…":"…"}'      for a CSV with other names of columns: what they mean, such as {"Preis":"Variant Price"}
`
const exportHelp = `npm run export -- FILE       writes the whole shop into FILE, .ndjson or .json
`
const common = `  --url http://…             address of the shop, or SHOP_URL; by default that of npm start
  --key sk_…                 a secret key, or SHOP_API_KEY; otherwise
  --email, --password        of an admin, or ADMIN_EMAIL and ADMIN_PASSWORD
Options take precedence over the environment.
`

export interface TransferArguments {
  file: string
  url: string
  mode: 'merge' | 'replace' | undefined
  dryRun: boolean
  keepsPictureLinks: boolean
  /** JSON: what columns with other names mean. */
  columns: string | undefined
  key: string | undefined
  email: string
  password: string | undefined
}

const OPTIONS = {
  mode: { type: 'string' },
  'dry-run': { type: 'boolean' },
  'keep-picture-links': { type: 'boolean' },
  columns: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  email: { type: 'string' },
  password: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Parses the arguments of a command. @returns `help` to print the usage, undefined when the file is missing */
export function readTransferArguments(
  command: 'import' | 'export',
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): TransferArguments | 'help' | undefined {
  const { values, positionals } = readOptions(`npm run ${command}`, OPTIONS, { args, most: 1 })
  const [file] = positionals
  if (values.help === true) return 'help'
  if (file === undefined) return undefined
  const { mode } = values
  if (mode !== undefined && mode !== 'merge' && mode !== 'replace') {
    throw new StartError(`--mode must be merge or replace, not ${mode}.`)
  }
  const url = (values.url ?? env['SHOP_URL'] ?? defaultUrl(env)).replace(/\/+$/, '')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new StartError(`--url must be an http(s) address, not ${url}.`)
  const signsIn = values.email !== undefined || values.password !== undefined
  return {
    file,
    url,
    mode,
    dryRun: values['dry-run'] === true,
    keepsPictureLinks: values['keep-picture-links'] === true,
    columns: values.columns,
    key: values.key ?? (signsIn ? undefined : keyOf(env)),
    email: values.email ?? env['ADMIN_EMAIL'] ?? 'admin@example.com',
    password: values.password ?? env['ADMIN_PASSWORD'],
  }
}

/** STOREFRONT_KEY is its former name, and now that of the secret of the storefront's server. */
function keyOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = env['SHOP_API_KEY']
  if (key === undefined && env['STOREFRONT_KEY']?.startsWith('sk_') === true) {
    throw new StartError('STOREFRONT_KEY is the secret of the storefront: put the key of the API into SHOP_API_KEY.')
  }
  return key
}

/** The address at which `npm start` with the same environment runs the shop. */
function defaultUrl(env: Readonly<Record<string, string | undefined>>): string {
  const port = env['PORT'] || '8080'
  const isPort = /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535
  if (!isPort) throw new StartError(`PORT must be a number from 1 to 65535, not ${port}; or name the shop with --url.`)
  return `http://localhost:${port}${env['PUBLIC_BASE_PATH'] ?? ''}`
}

export function helpOf(command: 'import' | 'export'): string {
  return `${command === 'import' ? importHelp : exportHelp}${common}`
}

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
  '.csv': 'text/csv',
}

/** The content type of a file, by the end of its name. */
export function typeOfFile(file: string, allowed: readonly string[]): string {
  const type = TYPES[extname(file).toLowerCase()]
  if (type !== undefined && allowed.includes(type)) return type
  const ends = Object.entries(TYPES).flatMap(([end, each]) => (allowed.includes(each) ? [end] : []))
  throw new StartError(`The name of the file must end in ${ends.join(', ')}.`)
}
