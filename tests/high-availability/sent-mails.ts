import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SentMail } from './shop-state.ts'

/** Kinds of mail are in the local part of the Message-ID, behind the id of the event. */
const KIND = /^message-id:\s*<[^@>]*\.(\w+)@/im
// An encoded subject has underscores for spaces, and the name of its encoding.
const ORDER_NUMBER = /^subject:.*(?<![A-Za-z])(?!UTF-|ISO-)([A-Z]+-\d+)/im
const TO = /^to:.*?([^\s<>,]+@[^\s<>,]+)/im
const FILES_AT_ONCE = 64

/** Reads what a mail is about from its headers. @returns undefined for a mail that is about no order */
export function readSentMail(raw: string): SentMail | undefined {
  const end = raw.search(/\r?\n\r?\n/)
  // A long header continues on the next line.
  const headers = raw.slice(0, end < 0 ? raw.length : end).replaceAll(/\r?\n[ \t]+/g, ' ')
  const kind = KIND.exec(headers)?.[1]
  const orderNumber = ORDER_NUMBER.exec(headers)?.[1]
  const to = TO.exec(headers)?.[1]
  return kind === undefined || orderNumber === undefined || to === undefined ? undefined : { kind, orderNumber, to }
}

/**
 * Reads the mails about orders in the folder of the mailbox of `npm start`, which keeps the newest ten thousand: a
 * longer run needs a mail server of its own, whose mails `readSentMail` reads.
 */
export async function mailsInFolder(folder: string): Promise<SentMail[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const mails: SentMail[] = []
  for (let first = 0; first < names.length; first += FILES_AT_ONCE) {
    const some = names.slice(first, first + FILES_AT_ONCE)
    const texts = await Promise.all(some.map((name) => readFile(join(folder, name), 'utf8')))
    mails.push(...texts.flatMap((text) => readSentMail(text) ?? []))
  }
  return mails
}
