import type { AccountMailKind } from '@storefront/contracts'
import type { WholeTemplate } from './order-templates.ts'

/** The labels of the buttons, for the mails that contain a link. */
export const BUTTONS: Partial<Record<string, string>> = {
  newsletterConfirmation: 'Confirm subscription',
  emailVerification: 'Confirm email address',
  emailChange: 'Confirm new email address',
  passwordReset: 'Choose a new password',
  paymentLink: 'Review and pay',
} satisfies Partial<Record<AccountMailKind, string>>

/** Whether this mail is useless once its link has expired. */
export function isAboutLink(kind: string): boolean {
  return BUTTONS[kind] !== undefined
}

/** Paragraphs of one sentence are easy to read. */
export const letter = (subject: string, ...paragraphs: readonly string[]): WholeTemplate => ({
  subject,
  text: paragraphs.join('\n\n'),
  html: paragraphs.map((words) => `<p>${words}</p>`).join('\n'),
})

/** Our text between the greeting and the link, or to the end. */
export const ACCOUNT_TEMPLATES: Record<AccountMailKind, WholeTemplate> = {
  newsletterConfirmation: letter(
    'Please confirm your newsletter subscription',
    'Thank you for signing up for the newsletter of {{ store.name }}. Please confirm that you would like to receive it.',
  ),
  emailVerification: letter(
    'Please confirm your email address',
    'Please confirm that this is the email address of your account at {{ store.name }}.',
    'If you did not create this account, someone else used your address. You can ignore this email, or confirm and choose a password to make the account yours.',
  ),
  emailChange: letter(
    'Please confirm your new email address',
    'Please confirm that you would like to use this email address for your account at {{ store.name }}.',
    'Until you do, your account keeps the address it has.',
  ),
  passwordReset: letter(
    'Choose a new password',
    'We received a request to reset the password of your account at {{ store.name }}. You can choose a new one here.',
  ),
  passwordChanged: letter(
    'Your password was changed',
    'The password of your account at {{ store.name }} was changed.',
    'If this was you, there is nothing to do. If it was not, please reset your password right away.',
  ),
  emailChanged: letter(
    'Your email address was changed',
    'Your account at {{ store.name }} now has another email address. We will no longer write to you about it here.',
    'If this was you, there is nothing to do. If it was not, please contact us right away.',
  ),
  accountDeleted: letter(
    'Your account was deleted',
    'Your account at {{ store.name }} was deleted, as you requested.',
    'Thank you for being our customer. You are welcome back at any time.',
  ),
  paymentLink: letter(
    'Your order is ready to be paid',
    '{{ store.name }} has prepared an order for you. Please check it and pay for it here. Nothing is charged before you do.',
  ),
}
