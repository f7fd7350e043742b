import { EVENTS, SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { readOptions } from '../read-options.ts'
import { messageOf, StartError } from '../start-error.ts'

export const help = `npm run events -- COMMAND       shows events of a shop and publishes them again

tail                        shows events as they are published; Ctrl-C ends it
  --since 10m|TIME          begins with the events since then; also 30s, 2h, 3d
  --count N                 ends after this many events
  --json                    one JSON object a line

replay                      publishes stored events again: only consumers that missed them process them
  --from TIME               ISO 8601, such as 2026-11-21T08:00:00Z; the stream keeps seven days
  --to TIME                 until then; now by default
  --id evt_…                only this event; --from is optional then
  --dry-run                 only shows what it would do
  --yes                     does not ask for confirmation

dead-letters                lists events whose consumer gave up
  list                      the same
  show SEQUENCE             one of them, with its headers
  replay SEQUENCE | --all   publishes the event again, and removes the letter
  drop SEQUENCE             removes the letter permanently
  --yes                     does not ask for confirmation
  --force                   replays an event that is older than seven days: it may take effect twice

recover                     after NATS lost its disk: creates streams and consumers, and publishes again events that a consumer
                            has no receipt of; services keep their events for a day
  --since TIME              only events from then on
  --dry-run, --yes          as above

consumers                   the progress of each consumer

For all of them:
  --event NAME              only events of this name
  --service NAME            only events that this service publishes; with dead-letters, those it consumed
  --full                    personal data too, for tail and dead-letters show
  --help

The shop is the one in DATA_DIR (.data), started by npm start on this machine. NATS_URL sets another, as the user of the
migrate step; NAMESPACE is shop by default. recover reads the database too: DATABASE_URL, as the role of the migrate step,
and CART_DATABASE_URL and so on where a schema is on a server of its own. Where the migrate step has NATS_REPLICAS or
STREAM_MAX_BYTES, recover needs the same, for the streams that it creates.
`

export interface EventArguments {
  command: EventCommand
  event: string | undefined
  service: ServiceName | undefined
  since: Date | undefined
  from: Date | undefined
  to: Date | undefined
  id: string | undefined
  count: number
  /** Sequence number of a dead letter; undefined for all. */
  sequence: number | undefined
  json: boolean
  full: boolean
  dryRun: boolean
  yes: boolean
  force: boolean
}

/** Invalid arguments: the process exits with 2. */
export class WrongArguments extends StartError {}

const OPTIONS = {
  event: { type: 'string' },
  service: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  since: { type: 'string' },
  count: { type: 'string' },
  json: { type: 'boolean' },
  full: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  id: { type: 'string' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  all: { type: 'boolean' },
  force: { type: 'boolean' },
} as const

/** The options of each command, beside `--help`. Others are an error, because an ignored option would seem to work. */
const KNOWN = {
  tail: ['event', 'service', 'since', 'count', 'json', 'full'],
  replay: ['event', 'service', 'from', 'to', 'id', 'dry-run', 'yes'],
  consumers: ['event', 'service'],
  recover: ['event', 'service', 'since', 'dry-run', 'yes'],
  'dead-letters list': ['event', 'service'],
  'dead-letters show': ['full'],
  'dead-letters replay': ['event', 'service', 'all', 'yes', 'force'],
  'dead-letters drop': ['yes'],
} satisfies Record<string, readonly string[]>

type EventCommand = keyof typeof KNOWN

/** @returns what to do; `help` to print the usage. @throws WrongArguments */
export function readEventArguments(given: readonly string[], now: Date): EventArguments | 'help' {
  const { values, positionals } = parsed(given)
  if (values.help === true || positionals[0] === 'help') return 'help'
  const { command, rest } = commandOf(positionals)
  const foreign = Object.keys(values).find((name) => !KNOWN[command].includes(name))
  if (foreign !== undefined) {
    const known = KNOWN[command].map((name) => `--${name}`).join(', ')
    throw new WrongArguments(`${command} has no option --${foreign}, only ${known}.`)
  }
  const takesSequence = ['show', 'replay', 'drop'].some((verb) => command === `dead-letters ${verb}`)
  const [sequence, ...surplus] = takesSequence ? rest : [undefined, ...rest]
  if (surplus.length > 0)
    throw new WrongArguments(`${surplus[0]} is an unknown argument: see npm run events -- --help.`)
  if (takesSequence && (sequence === undefined) !== (values.all === true)) {
    throw new WrongArguments(
      `Name the dead letter by its number (npm run events -- dead-letters lists them)${command.endsWith('replay') ? ', or use --all' : ''}.`,
    )
  }
  const from = optional(values.from, (text) => momentOf('from', text, now))
  if (command === 'replay' && from === undefined && values.id === undefined) {
    throw new WrongArguments('replay needs --from, the time of the first event to publish again, or --id.')
  }
  return {
    command,
    event: optional(values.event, eventOf),
    service: optional(values.service, serviceOf),
    since: optional(values.since, (text) => momentOf('since', text, now)),
    from,
    to: optional(values.to, (text) => momentOf('to', text, now)),
    id: values.id,
    count: optional(values.count, (text) => wholeNumber('--count', text)) ?? Infinity,
    sequence: optional(sequence, (text) => wholeNumber('The number of a dead letter', text)),
    json: values.json === true,
    full: values.full === true,
    dryRun: values['dry-run'] === true,
    yes: values.yes === true,
    force: values.force === true,
  }
}

function parsed(given: readonly string[]) {
  try {
    return readOptions('npm run events', OPTIONS, { args: given, most: Infinity })
  } catch (error) {
    throw new WrongArguments(messageOf(error))
  }
}

function commandOf([first, ...rest]: readonly string[]): { command: EventCommand; rest: string[] } {
  if (first === 'tail' || first === 'replay' || first === 'consumers' || first === 'recover')
    return { command: first, rest }
  if (first === 'dead-letters') {
    const [verb = 'list', ...more] = rest
    const command = (['list', 'show', 'replay', 'drop'] as const).find((known) => known === verb)
    if (command !== undefined) return { command: `dead-letters ${command}`, rest: more }
    throw new WrongArguments(`dead-letters can list, show, replay and drop, not ${verb}.`)
  }
  if (first === undefined) throw new WrongArguments(help)
  throw new WrongArguments(`${first} is an unknown command: use tail, replay, recover, dead-letters or consumers.`)
}

function eventOf(name: string): string {
  if (EVENTS.some((event) => event.name === name)) return name
  throw new WrongArguments(`There is no event ${name}. There are: ${EVENTS.map((event) => event.name).join(', ')}.`)
}

function serviceOf(name: string): ServiceName {
  const known = SERVICE_NAMES.find((service) => service === name)
  if (known !== undefined) return known
  throw new WrongArguments(`There is no service ${name}. There are: ${SERVICE_NAMES.join(', ')}.`)
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** @param text an ISO 8601 time, or a duration such as 10m for that long ago */
function momentOf(option: string, text: string, now: Date): Date {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (amount !== undefined) return new Date(now.getTime() - Number(amount) * (UNITS_MS[unit] ?? 0))
  const moment = new Date(text)
  if (ISO.test(text) && !Number.isNaN(moment.getTime())) return moment
  throw new WrongArguments(
    `--${option} must be a time such as ${now.toISOString()}, or a duration such as 10m, 2h or 3d. It is ${text}.`,
  )
}

function wholeNumber(what: string, text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number > 0 && Number.isSafeInteger(number)) return number
  throw new WrongArguments(`${what} must be a whole number, 1 or more. It is ${text}.`)
}

function optional<Value>(text: string | undefined, read: (text: string) => Value): Value | undefined {
  return text === undefined ? undefined : read(text)
}
