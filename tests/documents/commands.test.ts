import { dirname } from 'node:path'
import { TOTP, URI, type HOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { filesBelow, repository } from '../repository/source-files.ts'
import { openShop, type TestShop } from '../support/shop.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { codeBlocks } from './code-blocks.ts'
import { ShellSession } from './shell-session.ts'

const PASSWORD = 'a long password of an admin'
const Made = z.object({ id: z.string() })

/** ```bash is for a shop that runs, with its address in SHOP and the token of an admin in TOKEN. */
const documents = ['docs', 'services', 'packages']
  .flatMap(filesBelow)
  .filter((path) => path.endsWith('.md') && codeBlocks(path, 'bash').length > 0)

let shop: TestShop
let erp: WebhookReceiver

beforeAll(async () => {
  erp = await openWebhookReceiver()
  shop = await openShop()
  await shop.stockProduct('linen-shirt', 50)
})

afterAll(async () => {
  await shop.stop()
  await erp.close()
})

test('there are commands to try', () => {
  expect(documents).toEqual(expect.arrayContaining(['docs/security.md', 'docs/webhooks.md', 'docs/mail.md']))
})

describe.each(documents)('%s', (document) => {
  test('each command does what it says when it is pasted', async () => {
    const reader = await admin(`${document.replaceAll(/\W+/g, '-')}@example.com`)
    const session = new ShellSession({
      cwd: repository,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: process.env['HOME'],
        NO_COLOR: '1',
        SHOP: shop.shop.url,
        TOKEN: reader.token,
        PASSWORD,
        // Somebody else, for what is done to others.
        OTHER: (await admin(`other-${document.replaceAll(/\W+/g, '-')}@example.com`)).id,
      },
    })
    // A refusal is a failure, whatever options a command was given.
    await session.run('curl() { command curl --fail-with-body --silent --show-error "$@"; }')
    const app = new AuthenticatorApp()
    for (const { line, text } of codeBlocks(document, 'bash')) {
      const commands = text.replace('SHOP=http://localhost:8080\n', '').replaceAll('https://erp.example', erp.url)
      await session.run(`CODE=${text.includes('$CODE') ? app.code() : ''}`)
      const printed = await session.run(commands).catch((error: unknown) => {
        throw new Error(`${document}:${line}\n${commands}`, { cause: error })
      })
      app.look(printed)
    }
    await session.end()
  })
})

/** Another admin who may everything, so that no document meets what the one before it has changed. */
async function admin(email: string): Promise<{ id: string; token: string }> {
  const body = { email, name: 'Reader', role: 'owner', password: PASSWORD, currentPassword: shop.shop.adminPassword }
  const { id } = Made.parse((await shop.admin.post('/admin/users', body)).body)
  const visitor = shop.visitor()
  await visitor.signInAsAdmin(email, PASSWORD)
  return { id, token: visitor.token ?? '' }
}

/** An authenticator app that was shown what the commands printed. */
class AuthenticatorApp {
  #totp: TOTP | HOTP | undefined
  #shown = 0

  look(printed: string): void {
    const address = /otpauth:\/\/[^"]+/.exec(printed)?.[0]
    if (address !== undefined) this.#totp = URI.parse(address)
  }

  /** A code is good once: the second time it is the next one, which is taken as well half a minute too early. */
  code(): string {
    if (!(this.#totp instanceof TOTP)) return ''
    return this.#totp.generate({ timestamp: Date.now() + 30_000 * this.#shown++ })
  }
}
