import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
/** Of the package, only what the page needs. */
const ASSETS = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png'])

/** GET /docs: the API for people. Everything comes from here, so that it also works without the internet. */
export async function docsRoutes(app: FastifyInstance, { basePath }: { basePath: string }): Promise<void> {
  await app.register(fastifyStatic, {
    root: SWAGGER_UI,
    prefix: '/docs/assets/',
    index: false,
    maxAge: '1h',
    decorateReply: false,
    allowedPath: (path) => ASSETS.has(path.startsWith('/') ? path : `/${path}`),
  })
  app.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page(basePath)))
  app.get('/docs/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript(basePath)),
  )
}

function page(basePath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Storefront Commerce API</title>
<link rel="icon" type="image/png" href="${basePath}/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="${basePath}/docs/assets/swagger-ui.css">
<style>body { margin: 0 } .swagger-ui .info { margin: 30px 0 }</style>
</head>
<body>
<div id="reference"></div>
<noscript>The description itself is at <a href="${basePath}/openapi.json">openapi.json</a>.</noscript>
<script src="${basePath}/docs/assets/swagger-ui-bundle.js"></script>
<script src="${basePath}/docs/start.js"></script>
</body>
</html>
`
}

function startScript(basePath: string): string {
  return `SwaggerUIBundle({
  url: ${JSON.stringify(`${basePath}/openapi.json`)},
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
})
`
}
