import { sendRequest } from '@storefront/messaging'
import { MailRequested, ReadMailLink, type AccountMailKind } from '@storefront/contracts'
import { waitFor, type Suite } from '@storefront/tools/testing'
import type { z } from 'zod'

export type Mail = z.output<typeof MailRequested.data>

/** The mail requests that notifier consumes, and the links that it requests. */
export interface Mailbox {
  /** Waits until this number of mails of a kind was requested. @returns the newest */
  mail(kind: AccountMailKind, to: string, count?: number): Promise<Mail>
  linkOf(confirmationId: string): Promise<{ url?: string | undefined; expiresAt?: string | undefined }>
  /** Waits like `mail`. @returns the token in the link of the newest mail */
  token(kind: AccountMailKind, to: string, count?: number): Promise<string>
  close(): Promise<void>
}

export async function openMailbox(suite: Suite): Promise<Mailbox> {
  const notifier = await suite.openMessaging('notifier')

  const mail: Mailbox['mail'] = (kind, to, count = 1) =>
    waitFor(`${count} mails ${kind} to ${to}`, async () => {
      const mails = (await suite.eventsOf(MailRequested)).filter((one) => one.kind === kind && one.to === to)
      return mails.length >= count ? mails.at(-1) : undefined
    })
  const linkOf: Mailbox['linkOf'] = (confirmationId) => sendRequest(notifier, ReadMailLink, { confirmationId })

  return {
    mail,
    linkOf,
    async token(kind, to, count) {
      const { confirmationId = '' } = await mail(kind, to, count)
      const { url = '' } = await linkOf(confirmationId)
      return new URL(url).hash.replace('#token=', '')
    },
    close: () => notifier.close(),
  }
}
