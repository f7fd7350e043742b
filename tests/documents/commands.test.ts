import { dirname } from 'node:path'
import { TOTP, URI, type HOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { amount } from '@storefront/tools/testing'
import { DOCUMENTS, repository } from '../repository/source-files.ts'
import { openShop, type TestShop } from '../support/shop.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { codeBlocks } from './code-blocks.ts'
import { ShellSession } from './shell-session.ts'

const PASSWORD = 'a long password of an admin'
const Made = z.object({ id: z.string() })

/**
 * Blocks marked `bash` are for any running shop: its address is in SHOP, the token of an admin in TOKEN. Blocks marked
 * `sh launcher` are for the root of the repository, with a shop that runs in DATA_DIR.
 */
const INFOS = ['bash', 'sh launcher']
const documents = DOCUMENTS.filter((path) => codeBlocks(path, ...INFOS).length > 0)

/** Documents that only a long run tests: their commands start many processes, and tools/src/events tests them too. */
const inLongRun = amount({ quick: ['docs/events.md'], long: [] })

/** The output that the commands of a document must print, where a successful exit proves too little. */
const PRINTED: Record<string, RegExp> = {
  'README.md': /amount: \d+.*\npaid$/s,
  'docs/api.md':
    /^1\.0\.0\n\w.*\n\d+\n\d+\nnot_found\n.*\n(SF-\d+)\n\1\n304\nMade to last\nconflict\n204 http:\/\/localhost:5173$/s,
}

let shop: TestShop
let erp: WebhookReceiver

beforeAll(async () => {
  erp = await openWebhookReceiver()
  // Commands of `sh launcher` need servers of the shop.
  shop = await openShop({ ownServers: amount({ quick: false, long: true }) })
  const { variants } = await shop.stockProduct('linen-shirt', 50)
  // Some commands show events and orders.
  await shop.client().buy(variants[0]?.id ?? '', 1)
})

afterAll(async () => {
  await shop.stop()
  await erp.close()
})

test('the documents have commands to run', () => {
  const known = ['README.md', 'docs/api.md', 'docs/events.md', 'docs/security.md', 'docs/webhooks.md', 'docs/mail.md']
  expect(documents).toEqual(expect.arrayContaining(known))
})

describe.each(documents.filter((document) => !inLongRun.includes(document)))('%s', (document) => {
  test('each command succeeds when it is pasted', async () => {
    const reader = await admin(`${document.replaceAll(/\W+/g, '-')}@example.com`)
    const session = new ShellSession({
      cwd: repository,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: process.env['HOME'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        NO_COLOR: '1',
        SHOP: shop.shop.url,
        DATA_DIR: shop.dataDir,
        ADMIN_EMAIL: reader.email,
        ADMIN_PASSWORD: PASSWORD,
        TOKEN: reader.token,
        PASSWORD,
        // Another admin, for commands that change other users.
        OTHER: (await admin(`other-${document.replaceAll(/\W+/g, '-')}@example.com`)).id,
      },
    })
    onTestFinished(() => session.kill())
    const blocks = codeBlocks(document, ...INFOS)
    // An error response fails the block, unless a document sets the option itself to show error responses.
    if (!blocks.some(({ text }) => text.includes('--fail-with-body')))
      await session.run('curl() { command curl --fail-with-body --silent --show-error "$@"; }')
    const app = new AuthenticatorApp()
    const output: string[] = []
    for (const { line, text } of blocks) {
      const commands = text.replace('SHOP=http://localhost:8080\n', '').replaceAll('https://erp.example', erp.url)
      await session.run(`CODE=${text.includes('$CODE') ? app.code() : ''}`)
      const printed = await session.run(commands).catch((error: unknown) => {
        throw new Error(`${document}:${line}\n${commands}`, { cause: error })
      })
      app.look(printed)
      output.push(printed.trim())
    }
    expect(await session.end()).toBe(0)
    expect(output.filter((text) => text !== '').join('\n')).toMatch(PRINTED[document] ?? '')
  })
})

/** A new owner for each document, so that no document depends on the changes of another. */
async function admin(email: string): Promise<{ id: string; email: string; token: string }> {
  const body = { email, name: 'Reader', role: 'owner', password: PASSWORD, currentPassword: shop.shop.adminPassword }
  const { id } = Made.parse((await shop.admin.post('/admin/users', body)).body)
  const client = shop.client()
  await client.signInAsAdmin(email, PASSWORD)
  return { id, email, token: client.token ?? '' }
}

/** An authenticator app that reads what the commands print. */
class AuthenticatorApp {
  #totp: TOTP | HOTP | undefined
  #shown = 0

  look(printed: string): void {
    const address = /otpauth:\/\/[^"]+/.exec(printed)?.[0]
    if (address !== undefined) this.#totp = URI.parse(address)
  }

  /** A code is accepted once, so each later one is of the next half minute, which is accepted early. */
  code(): string {
    if (!(this.#totp instanceof TOTP)) return ''
    return this.#totp.generate({ timestamp: Date.now() + 30_000 * this.#shown++ })
  }
}
