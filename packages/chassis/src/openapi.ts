import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { Access } from '@storefront/contracts'

/** Path at which a service describes itself to the gateway, which merges all descriptions into one. */
export const SERVICE_OPENAPI_PATH = '/internal/openapi.json'

const SECURITY = { customer: [{ customer: [] }], admin: [{ admin: [] }] }

/** Makes the service describe its routes from their zod schemas, with the access each declares. */
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
      const { schema, url } = jsonSchemaTransform(input)
      return { schema: { ...schema, ...describeAccess(input.route.config?.access) }, url }
    },
    transformObject: jsonSchemaTransformObject,
  })
  app.get(SERVICE_OPENAPI_PATH, { config: { access: 'internal' }, schema: { hide: true } }, () => app.swagger())
}

function describeAccess(access: Access | undefined) {
  if (access === 'internal') return { hide: true }
  if (access === 'customer') return { security: SECURITY.customer }
  if (typeof access === 'object')
    return { security: SECURITY.admin, description: `Needs the permission \`${access.admin}\`.` }
  return {}
}
