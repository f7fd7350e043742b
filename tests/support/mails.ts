import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '@storefront/tools/testing'

/** The text of a quoted-printable mail. */
export function plain(mail: string): string {
  return mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

/** The token of the link to this page, if the mail has such a link. */
export function linkToken(mail: string, page: string): string | undefined {
  const [, rest] = plain(mail).split(new RegExp(`${page}[#?]token=`))
  return rest?.match(/^[\w.-]+/)?.[0]
}

/** Waits for a mail to this address with a link to this page. @returns the token of the link */
export function waitForLink(shop: { dataDir: string }, email: string, page: string): Promise<string> {
  return waitFor(`a mail to ${email} with a link to ${page}`, async () =>
    (await mailsTo(shop, email)).map((mail) => linkToken(mail, page)).find((token) => token !== undefined),
  )
}

/** The token of the link to an order in a mail about it. */
export function orderToken(mail: string, orderId: string): string | undefined {
  const [, rest] = plain(mail).split(`/order/${orderId}?token=`)
  return rest?.match(/^[\w-]+/)?.[0]
}

/** The mails to this address that arrived at the mail server of the shop. */
export async function mailsTo({ dataDir }: { dataDir: string }, email: string): Promise<string[]> {
  const folder = join(dataDir, 'mail')
  const names = await readdir(folder).catch(() => [])
  const mails = await Promise.all(
    names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(folder, name), 'utf8')),
  )
  return mails.filter((mail) => mail.split(/^to: /im)[1]?.split(/\r?\n/)[0]?.includes(email))
}
