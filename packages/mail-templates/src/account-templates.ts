import type { AccountMailKind } from '@storefront/contracts'
import type { WholeTemplate } from './order-templates.ts'

/** What the button says, of the mails that are all about a link. */
export const BUTTONS: Partial<Record<string, string>> = {
  newsletterConfirmation: 'Confirm the subscription',
  emailVerification: 'Confirm the e-mail address',
  emailChange: 'Confirm the new address',
  passwordReset: 'Choose a new password',
} satisfies Partial<Record<AccountMailKind, string>>

/** Whether such a mail is worth nothing once its link has run out. */
export function isAboutLink(kind: string): boolean {
  return BUTTONS[kind] !== undefined
}

/** One sentence each paragraph is easy to follow. */
const letter = (subject: string, ...paragraphs: readonly string[]): WholeTemplate => ({
  subject,
  text: paragraphs.join('\n\n'),
  html: paragraphs.map((words) => `<p>${words}</p>`).join('\n'),
})

/** Our words between the greeting and the link, or to the end. */
export const ACCOUNT_TEMPLATES: Record<AccountMailKind, WholeTemplate> = {
  newsletterConfirmation: letter(
    'Please confirm your newsletter subscription',
    'Please confirm that you would like to receive the newsletter of {{ store.name }}.',
  ),
  emailVerification: letter(
    'Please confirm your e-mail address',
    'Please confirm that the account with this e-mail address at {{ store.name }} is yours.',
  ),
  emailChange: letter(
    'Please confirm your new e-mail address',
    'Please confirm that your account at {{ store.name }} should use this e-mail address from now on.',
    'Until then everything stays as it is.',
  ),
  passwordReset: letter(
    'Choose a new password',
    'Somebody asked for a new password for your account at {{ store.name }}. If it was you, choose one here.',
  ),
  passwordChanged: letter(
    'Your password was changed',
    'The password of your account at {{ store.name }} was changed.',
    'If it was you, there is nothing to do. If it was not, please ask for a new password right away.',
  ),
  emailChanged: letter(
    'Your e-mail address was changed',
    'Your account at {{ store.name }} has another e-mail address now. Mails about it no longer come here.',
    'If it was you, there is nothing to do. If it was not, please tell us right away.',
  ),
  accountDeleted: letter(
    'Your account was deleted',
    'Your account at {{ store.name }} was deleted.',
    'Thank you for having been with us.',
  ),
}
