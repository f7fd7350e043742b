import { natsUsers, SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { parse, stringify } from 'yaml'
import { z } from 'zod'

const ADMINISTRATOR = 'migrate'
const NOTE = 'Written by `npm run kubernetes`'

/**
 * The users of NATS for a server that reads their passwords from its environment: GATEWAY_NATS_PASSWORD and so on. NATS
 * parses a password from there like a value of its configuration, so a password of digits only would be a number, which
 * is invalid.
 */
export function natsUsersFile(): string {
  const placeholders = Object.fromEntries(SERVICE_NAMES.map((name) => [name, passwordVariable(name)]))
  const users = [
    { user: ADMINISTRATOR, password: passwordVariable(ADMINISTRATOR) },
    ...natsUsers(Passwords.parse(placeholders)).map(({ name, ...rest }) => ({ user: name, ...rest })),
  ]
  const text = JSON.stringify({ users }, null, 2)
  return `# ${NOTE} from packages/contracts/src/subjects.ts.\nauthorization ${text.replaceAll(/"(\$[A-Z]+_NATS_PASSWORD)"/g, '$1')}\n`
}

/** Combines rule files of Prometheus into one resource of the Prometheus operator. */
export function prometheusRule(files: readonly string[]): string {
  const groups = files.flatMap((file) => RuleFile.parse(parse(file)).groups)
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'storefront' },
    spec: { groups },
  }
  return `# ${NOTE} from deploy/observability/alerts.\n${stringify(rule, { lineWidth: 120, singleQuote: true })}`
}

function passwordVariable(user: ServiceName | typeof ADMINISTRATOR): string {
  return `$${user.toUpperCase()}_NATS_PASSWORD`
}

const Passwords = z.record(z.enum(SERVICE_NAMES), z.string())
const RuleFile = z.object({ groups: z.array(z.looseObject({ name: z.string() })) })
