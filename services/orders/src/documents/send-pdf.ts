import type { FastifyReply } from 'fastify'

export const PDF = 'application/pdf'

/**
 * Sends a PDF, for the window of a browser or for a file.
 * @param name of the file, without its ending; numbers of orders begin with a text that a merchant chooses
 */
export function sendPdf(reply: FastifyReply, name: string, bytes: Buffer): FastifyReply {
  const fileName = name.replaceAll(/[^\w-]+/g, '-').slice(0, 100)
  return reply
    .type(PDF)
    .header('content-disposition', `inline; filename="${fileName}.pdf"`)
    .header('x-content-type-options', 'nosniff')
    .send(bytes)
}
