import type { FastifyReply } from 'fastify'

export const PDF = 'application/pdf'

/**
 * Sends a PDF that a browser shows in its window, and saves under this name.
 * @param name of the file, without its extension. It may contain any characters, because merchants choose the beginning
 * of order numbers.
 */
export function sendPdf(reply: FastifyReply, name: string, bytes: Buffer): FastifyReply {
  const fileName = name.replaceAll(/[^\w-]+/g, '-').slice(0, 100)
  return reply
    .type(PDF)
    .header('content-disposition', `inline; filename="${fileName}.pdf"`)
    .header('x-content-type-options', 'nosniff')
    .send(bytes)
}
