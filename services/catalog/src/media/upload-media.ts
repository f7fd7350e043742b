import multipart from '@fastify/multipart'
import { z } from 'zod'
import type { App } from '@storefront/http'
import { limitConcurrency } from '@storefront/service'
import { listOf, Media } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { notAForm, tooManyUploads } from '../errors.ts'
import { MAX_FORM_BYTES, readFormInTime, tooLarge } from './read-form.ts'
import { storePictures } from './store-pictures.ts'

/** Limited because each upload is in memory. */
const UPLOADS_AT_ONCE = 6
const MAX_WAITING_UPLOADS = 32
/** Shorter than the timeout of the gateway. */
const UPLOAD_WAIT_MS = 8000

const UploadedFile = Media.extend({
  duplicate: z.boolean().describe('True for a picture that was already stored, which keeps its id and addresses.'),
})

/** The stored files. The fields of a single file are also beside the list, where the client reads them. */
const UploadedMedia = z
  .object({ ...UploadedFile.partial().shape, ...listOf(UploadedFile).shape })
  .meta({ id: 'UploadedMedia' })

/** Only for the documentation: the form is read as a stream and not validated as a whole. */
const UploadForm = z.unknown().meta({
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'array', items: { type: 'string', format: 'binary' }, description: 'One to ten pictures.' },
    alt: { type: 'string', description: 'What the picture shows, not blank; once for all files, or once for each.' },
  },
})

/** Accepts pictures as a form. They are stored only when all of them are usable. */
export function uploadMediaRoute(app: App, context: CatalogContext): void {
  const uploads = limitConcurrency({
    atOnce: UPLOADS_AT_ONCE,
    waiting: MAX_WAITING_UPLOADS,
    maxWaitMs: UPLOAD_WAIT_MS,
    error: tooManyUploads,
  })

  // In a separate scope, because a form is an unsupported content type for all other routes.
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    await scope.register(multipart, { throwFileSizeLimit: false })
    scope.addContentTypeParser('*', (_request, _body, done) => done(notAForm()))
    scope.post('/admin/media', {
      config: { access: { admin: 'catalog:write' } },
      schema: {
        summary: 'Upload pictures',
        description:
          'The reply lists the stored files in their order. When one file was sent, its own fields appear beside ' +
          '`items` too.',
        consumes: ['multipart/form-data'],
        body: UploadForm,
        response: { 201: UploadedMedia },
      },
      handler: async (request, reply) => {
        if (!request.isMultipart()) throw notAForm()
        if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) throw tooLarge()
        const items = await uploads(async () => {
          const files = await readFormInTime(request, context.mediaUploadMs)
          return storePictures(context, { files, actor: request.actor, encoding: context.pictures.encoding })
        })
        const [only] = items.length === 1 ? items : []
        return reply.code(201).send({ ...only, items, total: items.length })
      },
    })
  })
}
