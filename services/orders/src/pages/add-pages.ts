import type { FastifyReply } from 'fastify'
import { reportError, type App } from '@storefront/http'

export interface Pages {
  /** The largest body of a form, in bytes. */
  maxFormBytes: number
  readForm: (body: string) => unknown
  /** The title of the page for what does not exist. */
  notFound: string
  sendFault: (reply: FastifyReply, title: string, sentence: string) => FastifyReply
}

/**
 * Adds routes whose responses, errors included, are pages for buyers. They need no script and no cookie. Only the
 * address grants access: another site does not know it, so it cannot submit the forms, and Origin is not checked.
 */
export function addPages(
  app: App,
  { maxFormBytes, readForm, notFound, sendFault }: Pages,
  addRoutes: (scope: App) => void,
): void {
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxFormBytes }, (_request, body, done) =>
      done(null, readForm(body.toString())),
    )
    scope.setErrorHandler((error, request, reply) => {
      const httpError = reportError(error, request, reply)
      const title = httpError.status === 404 ? notFound : 'Something went wrong'
      return sendFault(reply.code(httpError.status), title, httpError.message)
    })
    addRoutes(scope)
  })
}
