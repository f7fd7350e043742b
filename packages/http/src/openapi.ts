import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Access } from '@storefront/contracts'
import { errorsOf } from './declared-errors.ts'
import { pruneSchemas } from './prune-schemas.ts'

/** The path at which a service serves its API description to the gateway, which merges all descriptions into one. */
export const SERVICE_OPENAPI_PATH = '/internal/openapi.json'

/** The error codes of an operation, from which the gateway makes its responses. */
export const OPERATION_ERRORS = 'x-errors'

const SECURITY = { customer: [{ customer: [] }], admin: [{ admin: [] }] }

const JSON_TYPE = 'application/json'
/** The content types that a schema can describe: JSON, and forms, which have fields as JSON has properties. */
const DESCRIBED_TYPES = [JSON_TYPE, 'multipart/form-data']
/** Carried by an operation from its route to the finished document, where it is removed. */
const NEEDS_NO_BODY = 'x-needs-no-body'
/** The temporary name of a reference that has a description beside it. */
const DESCRIBED_REF = 'x-described-ref'

/**
 * Makes the service describe its routes from their zod schemas, with the access that each declares. A route that
 * accepts anything but JSON lists every content type in `consumes`, one that returns anything else lists them in
 * `produces`: its schemas then describe the JSON and the forms among them.
 */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Storefront Commerce API', version: '1.0.0' },
      components: {
        securitySchemes: {
          customer: { type: 'http', scheme: 'bearer', description: 'The token of POST /auth/login or /auth/register.' },
          admin: { type: 'http', scheme: 'bearer', description: 'The token of POST /admin/auth/login.' },
        },
      },
    },
    transform: (input) => {
      const { schema: given = {}, config } = input.route
      const { schema, url } = jsonSchemaTransform({ ...input, schema: withRequiredBody(given) })
      for (const part of [schema.body, schema.response]) eachObject(part, hideDescribedRef)
      const absence = needsNoBody(given) ? { [NEEDS_NO_BODY]: true } : {}
      return {
        schema: {
          ...schema,
          ...describeContents(schema),
          ...absence,
          ...describeAccess(config?.access, given.description),
          [OPERATION_ERRORS]: errorsOf(input.route),
        },
        url,
      }
    },
    transformObject: (input) => {
      const document = jsonSchemaTransformObject(input)
      eachObject(document.paths, showDescribedRef)
      for (const [path, item] of Object.entries(document.paths ?? {})) {
        for (const [method, operation] of Object.entries(item ?? {})) {
          describeAbsence(operation)
          nameOperation(operation, method, path)
        }
      }
      keepUsedSchemas(document)
      return document
    },
  })
  app.get(SERVICE_OPENAPI_PATH, { config: { access: 'internal' }, schema: { hide: true } }, () => app.swagger())
}

/**
 * Deletes schemas that no operation refers to, and sorts the others by name: zod's registry holds those of every
 * service in the process, in the order in which their files were loaded.
 */
function keepUsedSchemas({ paths, components }: { paths?: unknown; components?: unknown }): void {
  const schemas: Record<string, unknown> = Object(Object(components).schemas)
  const used = pruneSchemas(schemas, [paths])
  for (const name of Object.keys(schemas).toSorted()) {
    delete schemas[name]
    if (Object.hasOwn(used, name)) schemas[name] = used[name]
  }
}

function describeAccess(access: Access | undefined, description: string | undefined) {
  if (access === 'internal') return { hide: true }
  if (access === 'customer') return { security: SECURITY.customer }
  if (access === 'admin-user' || typeof access === 'object') {
    const permission =
      access === 'admin-user' ? 'For a person, not for a secret key.' : `Needs the permission \`${access.admin}\`.`
    return { security: SECURITY.admin, description: description ? `${description} ${permission}` : permission }
  }
  return {}
}

/** Whether the route works without a body: a missing one reaches its schema as null. */
function needsNoBody({ body, consumes = [JSON_TYPE] }: FastifySchema): boolean {
  // Content that is not JSON is left unread and reaches the schema as null too: then null does not mean that nothing
  // was sent.
  if (consumes.some((type) => type !== JSON_TYPE)) return false
  return body instanceof z.ZodType && body.safeParse(null).success
}

/**
 * That a body may be missing is declared beside its schema: within the schema it would mean a body that is present and
 * null.
 */
function withRequiredBody(schema: FastifySchema): FastifySchema {
  let { body } = schema
  while (body instanceof z.ZodOptional || body instanceof z.ZodNullable) body = body.unwrap()
  return body === undefined ? schema : { ...schema, body }
}

/** Lists every content type: one that no schema describes is text, or the bytes of a picture or a PDF. */
function describeContents(schema: FastifySchema): Pick<FastifySchema, 'body' | 'response'> {
  const { body, consumes, response, produces } = schema
  const responses = Object.entries(response ?? {}).map(([status, response]) => [status, contentsOf(produces, response)])
  return {
    ...(body === undefined ? {} : { body: contentsOf(consumes, body) }),
    ...(response === undefined ? {} : { response: Object.fromEntries(responses) }),
  }
}

function contentsOf(types: readonly string[] | undefined, schema: unknown): unknown {
  // The framework's plugin knows only JSON, and that null is a response without content.
  const isNothing = typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null'
  if (types === undefined || isNothing) return schema
  return { content: Object.fromEntries(types.map((type) => [type, { schema: schemaFor(type, schema) }])) }
}

function schemaFor(type: string, schema: unknown): unknown {
  if (DESCRIBED_TYPES.includes(type)) return schema
  return isBytes(type) ? { type: 'string', format: 'binary' } : { type: 'string' }
}

function isBytes(type: string): boolean {
  return type.startsWith('image/') || type === 'application/pdf'
}

/** Calls a function with every object inside a JSON value. */
function eachObject(value: unknown, change: (object: object) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) eachObject(inner, change)
  if (!Array.isArray(value)) change(value)
}

/** The framework's plugin drops everything beside a `$ref`, which OpenAPI 3.1 allows: it must not see it. */
function hideDescribedRef(object: object): void {
  if ('description' in object) rename(object, '$ref', DESCRIBED_REF)
}

function showDescribedRef(object: object): void {
  rename(object, DESCRIBED_REF, '$ref')
}

function rename(object: object, from: string, to: string): void {
  if (!(from in object)) return
  Object.assign(object, { [to]: Reflect.get(object, from) })
  Reflect.deleteProperty(object, from)
}

/**
 * The operation id, after which code generators name functions: `patchCartsByIdLinesByLineId` for `PATCH
 * /carts/{id}/lines/{lineId}`.
 */
function nameOperation(operation: unknown, method: string, path: string): void {
  if (typeof operation !== 'object' || operation === null) return
  const words = path.replaceAll('{', 'by-').match(/[a-zA-Z0-9]+/g) ?? []
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
  Object.assign(operation, { operationId: method + name })
}

/** The framework's plugin marks every body as required. */
function describeAbsence(operation: unknown): void {
  if (typeof operation !== 'object' || operation === null || !(NEEDS_NO_BODY in operation)) return
  Reflect.deleteProperty(operation, NEEDS_NO_BODY)
  if (!('requestBody' in operation) || typeof operation.requestBody !== 'object') return
  operation.requestBody = { ...operation.requestBody, required: false }
}
