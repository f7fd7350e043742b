import { z } from 'zod'
import type { ServiceName } from '@storefront/contracts'
import { OPERATION_ERRORS, pruneSchemas } from '@storefront/http'
import { codeSamples } from './code-samples.ts'
import { describeSuccess } from './describe-success.ts'
import { ERROR_EXAMPLES, ERROR_SCHEMA, ErrorResponses } from './error-responses.ts'
import { withExamples, type Example } from './examples.ts'
import { mergeServices, type DescribedService, type MergedOperation } from './merge-services.ts'
import { TAGS, tagOf } from './tags.ts'
import { describeWebhooks } from './webhooks.ts'

interface ShopDescriptionOptions {
  /** Prefix of every path, such as `/v1`; empty without one. */
  basePath: string
  /** Services that could not be reached just now. */
  unavailable: readonly ServiceName[]
  /** By the name of their operation. */
  examples: ReadonlyMap<string, Example>
}

const INTRODUCTION = `The data backend of an apparel storefront: catalog, carts priced on the server, checkout, orders,
accounts, and the merchant's side under \`/admin\`.

Bodies are JSON unless another type is named. Money is \`{ amount, currency }\` in the currency's smallest unit. Lists are \`{ items, total }\`.
Errors are \`{ message, code, requestId }\`: branch on \`code\`, show \`message\`, quote \`requestId\`.

The samples use the shop's address and, if the operation requires one, a token:

\`\`\`sh
SHOP=http://localhost:8080
TOKEN=…  # from POST /auth/login, POST /admin/auth/login or POST /admin/api-keys
\`\`\`

\`\`\`ts
import { createStorefrontClient } from '@storefront/client'
const shop = createStorefrontClient({ baseUrl: 'http://localhost:8080', token: '…' })
\`\`\``

const SECURITY_SCHEMES = {
  customer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From POST /auth/login or /auth/register.',
  },
  admin: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /admin/auth/login.' },
  browser: {
    type: 'apiKey',
    in: 'cookie',
    name: 'store_browser',
    description:
      'Set with the first cart, and renewed with each order: opens the orders this browser placed. Its name is ' +
      '`__Host-store_browser` if the shop uses https.',
  },
}

const Responses = z.record(z.string(), z.unknown()).default({})

/** Merges the descriptions of the services into one OpenAPI document. */
export function describeShop(
  services: readonly DescribedService[],
  { basePath, unavailable, examples }: ShopDescriptionOptions,
): unknown {
  const { operations, components } = mergeServices(services)
  const errors = new ErrorResponses()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const merged of operations) {
    ;(paths[merged.path] ??= {})[merged.method] = describeOperation(merged, errors, examples)
  }
  const usedTags = new Set(operations.map(({ path }) => tagOf(path)))
  const { schemas = {}, ...others } = components
  const used = {
    ...others,
    responses: { ...others.responses, ...errors.components },
    examples: { ...others.examples, ...ERROR_EXAMPLES },
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Storefront Commerce API', version: '1.0.0', description: INTRODUCTION },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    tags: TAGS.filter((tag) => usedTags.has(tag)).map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    webhooks: describeWebhooks(),
    components: {
      schemas: pruneSchemas({ ...schemas, Error: ERROR_SCHEMA }, [paths, used]),
      ...used,
      securitySchemes: SECURITY_SCHEMES,
    },
    ...(unavailable.length === 0 ? {} : { 'x-unavailable': unavailable.toSorted() }),
  }
}

function describeOperation(
  { service, path, method, operation }: MergedOperation,
  errors: ErrorResponses,
  examples: ShopDescriptionOptions['examples'],
): unknown {
  const { [OPERATION_ERRORS]: declared, ...described } = operation
  const successes = Object.entries(Responses.parse(operation['responses']))
  const whole = {
    tags: [tagOf(path) ?? service],
    ...described,
    responses: {
      ...Object.fromEntries(successes.map(([status, response]) => [status, describeSuccess(status, response)])),
      ...errors.of(Array.isArray(declared) ? declared : []),
    },
  }
  const example = examples.get(String(operation['operationId']))
  if (example === undefined) return whole
  return { ...withExamples(whole, example), 'x-codeSamples': codeSamples({ method, path, operation }, example) }
}
