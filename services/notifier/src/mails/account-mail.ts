import { z } from 'zod'
import { AccountMailKind } from '@storefront/contracts'
import { html } from './html.ts'
import { writePage } from './layout.ts'
import type { Letterhead, MailText } from './mail-kinds.ts'
import type { MailLink } from './read-link.ts'

export const AccountMail = z.object({ name: z.string().optional(), confirmationId: z.string().optional() })

interface Letter {
  subject: string
  /** One sentence each paragraph is easy to follow. */
  paragraphs: string[]
  /** What the button says, of a mail that is all about a link. */
  button?: string
}

const LETTERS: Record<AccountMailKind, (shop: string) => Letter> = {
  newsletterConfirmation: (shop) => ({
    subject: 'Please confirm your newsletter subscription',
    paragraphs: [`Please confirm that you would like to receive the newsletter of ${shop}.`],
    button: 'Confirm the subscription',
  }),
  emailVerification: (shop) => ({
    subject: 'Please confirm your e-mail address',
    paragraphs: [`Please confirm that the account with this e-mail address at ${shop} is yours.`],
    button: 'Confirm the e-mail address',
  }),
  emailChange: (shop) => ({
    subject: 'Please confirm your new e-mail address',
    paragraphs: [
      `Please confirm that your account at ${shop} should use this e-mail address from now on.`,
      'Until then everything stays as it is.',
    ],
    button: 'Confirm the new address',
  }),
  passwordReset: (shop) => ({
    subject: 'Choose a new password',
    paragraphs: [`Somebody asked for a new password for your account at ${shop}. If it was you, choose one here.`],
    button: 'Choose a new password',
  }),
  passwordChanged: (shop) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account at ${shop} was changed.`,
      'If it was you, there is nothing to do. If it was not, please ask for a new password right away.',
    ],
  }),
  emailChanged: (shop) => ({
    subject: 'Your e-mail address was changed',
    paragraphs: [
      `Your account at ${shop} has another e-mail address now. Mails about it no longer come here.`,
      'If it was you, there is nothing to do. If it was not, please tell us right away.',
    ],
  }),
  accountDeleted: (shop) => ({
    subject: 'Your account was deleted',
    paragraphs: [`Your account at ${shop} was deleted.`, 'Thank you for having been with us.'],
  }),
}

export const ACCOUNT_MAILS_ABOUT_LINKS: ReadonlySet<string> = new Set(
  AccountMailKind.options.filter((kind) => LETTERS[kind]('').button !== undefined),
)

const IGNORE = 'If you did not ask for this, ignore this mail.'
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:4px;background:#1a1a1a;color:#ffffff;text-decoration:none;'

/**
 * Writes a mail about an account. Where it leads is asked only now.
 * @returns undefined when its link leads nowhere any more
 */
export async function writeAccountMail(
  kind: AccountMailKind,
  { name, confirmationId }: z.output<typeof AccountMail>,
  { shop, readLink }: Letterhead,
): Promise<MailText | undefined> {
  const letter = LETTERS[kind](shop)
  const greeting = greet(name)
  if (letter.button === undefined) return writeLetter(letter, greeting)
  if (confirmationId === undefined) throw new Error(`a mail about a link without a confirmation: ${kind}`)
  const link = await readLink(confirmationId)
  return link && writeLetter(letter, greeting, { ...link, button: letter.button })
}

function writeLetter(letter: Letter, greeting: string, link?: MailLink & { button: string }): MailText {
  const { subject, paragraphs } = letter
  const until = link && lifetimeOf(link)
  const text = [
    greeting,
    ...paragraphs,
    ...(link ? [link.url] : []),
    ...(until ? [until] : []),
    ...(link ? [IGNORE] : []),
  ]
  const content = [
    ...[greeting, ...paragraphs].map(paragraph),
    ...(link
      ? [
          html`<p style="margin:24px 0;"><a href="${link.url}" style="${BUTTON}">${link.button}</a></p>`,
          html`<p style="margin:0 0 16px;">
            If the button does not work, open this address:<br />
            <a href="${link.url}" style="color:#1a1a1a;overflow-wrap:anywhere;">${link.url}</a>
          </p>`,
        ]
      : []),
    ...(until ? [paragraph(until)] : []),
    ...(link ? [paragraph(IGNORE)] : []),
  ]
  return {
    subject,
    text: text.join('\n\n'),
    html: writePage({ title: subject, heading: subject, content }).html,
    holdsLink: link !== undefined,
  }
}

const paragraph = (text: string) => html`<p style="margin:0 0 16px;">${text}</p>`

const UTC = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function lifetimeOf({ expiresAt }: MailLink): string | undefined {
  return expiresAt && `The link works until ${UTC.format(expiresAt)} UTC.`
}

const NAME = /^[\p{L}\p{M}\p{N} .'’-]{1,60}$/u
const ADDRESS = /\.[\p{L}\p{N}]{2}/u

/**
 * Anybody can register with the address of somebody else: what they call themselves must not become an advertisement in
 * our mail. What mail programs would make a link of is no name.
 */
function greet(name: string | undefined): string {
  const called = name?.trim()
  return called !== undefined && NAME.test(called) && !ADDRESS.test(called) ? `Hello ${called},` : 'Hello,'
}
