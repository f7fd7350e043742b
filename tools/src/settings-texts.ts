import { z } from 'zod'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { ALL_SETTINGS, SETTINGS } from '@storefront/contracts/settings'
import { SHOP_SETTINGS } from './shop-settings.ts'

const Texts = z.object({ description: z.string(), preset: z.string().optional() })
const Default = z.union([z.string(), z.number()]).optional().catch(undefined)

/** A variable, as people read about it. */
interface ShownSetting {
  name: string
  default: string
  meaning: string
}

/** The variables of `npm start`, in the order of the README. */
export function shownSettings(): ShownSetting[] {
  const all: [string, z.ZodType][] = Object.entries(SHOP_SETTINGS)
  return all.map(([name, schema]) => {
    const { description: meaning, preset } = Texts.parse(schema.meta())
    return { name, default: preset ?? defaultOf(schema), meaning }
  })
}

function defaultOf(schema: z.ZodType): string {
  const preset = Default.parse(schema.safeParse(undefined).data)
  return preset === undefined || preset === '' ? 'none' : String(preset)
}

const NAME_WIDTH = 31
/** Together with the name 120. */
const TEXT_WIDTH = 86

/** The list that `npm start -- --help` prints. */
export function settingsHelp(): string {
  return shownSettings().map(helpOf).join('')
}

function helpOf({ name, default: preset, meaning }: ShownSetting): string {
  const words = `${meaning.replaceAll('`', '')}${preset === 'none' ? '' : ` (${preset})`}`.split(' ')
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= TEXT_WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line, index) => `  ${(index === 0 ? name : '').padEnd(NAME_WIDTH)} ${line}\n`).join('')
}

const README_TABLE = /(<!-- settings: npm run settings -->\n\n)[^]*?(\n\n<!-- end of settings -->)/

/** @returns the README with the table of the settings, which the formatter aligns */
export function withSettingsTable(readme: string): string {
  if (!README_TABLE.test(readme)) throw new Error('the README has no place for the settings')
  const rows = shownSettings().map(
    (setting) => `| \`${setting.name}\` | ${shownDefault(setting)} | ${setting.meaning} |`,
  )
  const table = ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
  return readme.replace(README_TABLE, (_all, before: string, after: string) => `${before}${table}${after}`)
}

const IN_WORDS = [
  'none',
  'generated',
  'generated, shown',
  'started for you',
  'that of `DATABASE_URL`',
  'three in a cluster, otherwise one',
  "the shop's own pages",
]

function shownDefault({ default: preset }: ShownSetting): string {
  return IN_WORDS.includes(preset) ? preset : `\`${preset}\``
}

const COMPOSE_MARK = '      # Settings of operators (npm run settings):'
/** The environment of every service has it, with a value. */
const GIVEN_TO_EVERY_SERVICE = ['LOG_LEVEL']

/**
 * @returns docker-compose.yml, in which each service gets the settings that it reads. Those that have a value there, as
 * containers need, keep it; the others are passed on if they are set, and absent otherwise.
 */
export function withSettingsOfCompose(compose: string): string {
  const blocks = compose.split(/^(?= {2}[a-z]+:$)/m)
  return blocks
    .map((block) => {
      const service = SERVICE_NAMES.find((name) => block.startsWith(`  ${name}:\n`))
      return service === undefined ? block : withSettingsOf(block, service)
    })
    .join('')
}

function withSettingsOf(block: string, service: ServiceName): string {
  const place = new RegExp(`${COMPOSE_MARK.replaceAll(/[()]/g, String.raw`\$&`)}\n(?: {6}[A-Z0-9_]+:\n)*`)
  if (!place.test(block)) throw new Error(`docker-compose.yml has no place for the settings of ${service}`)
  const valued = [...block.matchAll(/^ {6}([A-Z0-9_]+): \S/gm)].map(([, name = '']) => name)
  const names = Object.keys(SETTINGS[service]).filter((name) => ![...valued, ...GIVEN_TO_EVERY_SERVICE].includes(name))
  return block.replace(place, `${[COMPOSE_MARK, ...names.map((name) => `      ${name}:`)].join('\n')}\n`)
}

const KUBERNETES_MARK = '# Settings that an overlay may add (npm run settings):'
/** A shop for customers must not set it (docs/security.md), so no Secret has it. */
const NOT_IN_KUBERNETES = ['DEMO_WEBHOOK_SECRET']

/** The manifests that read the Secrets of services. */
export const READING_SECRETS = [
  'deploy/kubernetes/base/services/*.yaml',
  'deploy/kubernetes/overlays/production/*.yaml',
]

/**
 * @param settings base/settings.env; what stands above the mark is written by hand
 * @param manifests the texts of those of READING_SECRETS
 * @returns the same with every other setting that is not secret below the mark, in comments
 */
export function withSettingsOfKubernetes(settings: string, manifests: readonly string[]): string {
  const [set, further] = settings.split(`${KUBERNETES_MARK}\n`)
  if (set === undefined || further === undefined) throw new Error('settings.env has no place for the settings')
  const valued = [...set.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name)
  const secret = manifests.flatMap((text) => [...text.matchAll(/^ +key: ([A-Z0-9_]+)$/gm)].map(([, name]) => name))
  const elsewhere = new Set([...valued, ...secret, ...NOT_IN_KUBERNETES])
  const shown = shownSettings().filter(({ name }) => Object.hasOwn(ALL_SETTINGS, name) && !elsewhere.has(name))
  return `${set}${KUBERNETES_MARK}\n${shown.map(helpOf).join('').replaceAll(/^ /gm, '#')}`
}
