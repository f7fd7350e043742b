import * as base64 from 'nodemailer/lib/base64'
import type MimeNode from 'nodemailer/lib/mime-node'
import * as quotedPrintable from 'nodemailer/lib/qp'

/**
 * Writes a composed message: the same bytes as its own `build`, which takes three times as long, because it pipes each
 * part through several streams.
 */
export function writeMessage(message: MimeNode): Buffer {
  return Buffer.from(partOf(message).replaceAll(/\r?\n|(?<!\n)$/g, '\r\n'))
}

function partOf(node: MimeNode): string {
  return `${node.buildHeaders()}\r\n\r\n${bodyOf(node)}`
}

function bodyOf(node: MimeNode): string {
  const { boundary, childNodes, content = '' } = node
  if (boundary)
    return [...childNodes.map((child) => `--${boundary}\r\n${partOf(child)}`), `--${boundary}--\r\n`].join('\r\n')
  if (typeof content !== 'string') throw new TypeError('a mail has texts only')
  const encoding = node.getTransferEncoding()
  if (encoding === 'base64') return base64.wrap(base64.encode(content))
  return encoding === 'quoted-printable' ? quotedPrintable.wrap(quotedPrintable.encode(content)) : content
}
