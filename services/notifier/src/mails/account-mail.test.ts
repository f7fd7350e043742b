import { describe, expect, test } from 'vitest'
import { AccountMailKind } from '@storefront/contracts'
import { writeAccountMail } from './account-mail.ts'

const URL = 'https://shop.example/account/confirm?token=a&b="c"'
const LINK_KINDS = ['newsletterConfirmation', 'emailVerification', 'emailChange', 'passwordReset']
const letterhead = {
  shop: 'Linen & Sons',
  readLink: () => Promise.resolve({ url: URL, expiresAt: new Date('2026-11-22T16:57:00.000Z') }),
}
const write = (kind: AccountMailKind, name?: string) =>
  writeAccountMail(kind, { name, confirmationId: 'conf_1' }, letterhead)

describe.each(AccountMailKind.options)('the mail %s', (kind) => {
  test('names the shop, and says the same as text and as HTML', async () => {
    const mail = await write(kind, 'Ada')
    expect(mail?.text).toMatch(/^Hello Ada,\n\n/)
    expect(mail?.text).toContain('Linen & Sons')
    expect(mail?.html).toContain('Linen &amp; Sons')
    expect(mail?.html).toContain(`<title>${mail?.subject}</title>`)
    expect(mail?.html.match(/<h1 /g)).toHaveLength(1)
  })

  test('is about a link, or needs none', async () => {
    const mail = await write(kind)
    const about = LINK_KINDS.includes(kind)
    expect(mail?.holdsLink).toBe(about)
    expect(mail?.text.includes(`\n\n${URL}\n\nThe link works until 22 November 2026 at 16:57 UTC.`)).toBe(about)
    expect(mail?.text.endsWith('If you did not ask for this, ignore this mail.')).toBe(about)
    const links =
      mail?.html.match(/href="https:\/\/shop\.example\/account\/confirm\?token=a&amp;b=&quot;c&quot;"/g) ?? []
    expect(links).toHaveLength(about ? 2 : 0)
    const nothing = await writeAccountMail(
      kind,
      { confirmationId: 'conf_1' },
      { ...letterhead, readLink: () => Promise.resolve(undefined) },
    )
    expect(nothing === undefined).toBe(about)
  })
})

describe('a greeting', () => {
  test.each(['Zoë', "O'Neill-Św. J.R.", '李小龙'])('calls somebody %s', async (name) => {
    expect((await write('passwordChanged', name))?.text).toMatch(`Hello ${name},\n`)
  })

  test.each(['Win at evil.example', 'https://evil.example', 'a\nb', '<b>', ' ', 'x'.repeat(61)])(
    'does not repeat %j, which is no name',
    async (name) => {
      expect((await write('passwordChanged', name))?.text).toMatch(/^Hello,\n/)
    },
  )
})
