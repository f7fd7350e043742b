import { OrderPlacedMail, writeOrderPlaced } from './order-placed.ts'

export interface MailText {
  subject: string
  text: string
  html: string
}

/** Every kind of mail: from the data of its row to what is read. */
const WRITERS = new Map<string, (data: unknown) => MailText>([
  ['orderPlaced', (data) => writeOrderPlaced(OrderPlacedMail.parse(data))],
])

/** @throws Error for a kind that this code does not know, or data that does not fit it */
export function writeMail(kind: string, data: unknown): MailText {
  const write = WRITERS.get(kind)
  if (!write) throw new Error(`no such kind of mail: ${kind}`)
  return write(data)
}
