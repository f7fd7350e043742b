import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitUntil } from '../infrastructure/wait-until.ts'
import { mailFolder } from './mail-folder.ts'
import { createMailPages } from './mail-pages.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-mail-folder-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const mail = (id: string, rest = '') => Buffer.from(`Message-ID: <${id}@x>\r\nSubject: ${id}\r\n${rest}\r\nHello\r\n`)

test('the oldest mails are deleted while more arrive', async () => {
  const mails = mailFolder(folder, { kept: 3, tidyAfter: 5 })
  for (let count = 1; count <= 5; count++) await mails.save(mail(`m${count}`))
  expect(await waitUntil(async () => (await readdir(folder)).length === 3, { timeoutMs: 5000 })).toBe(true)
  expect((await mails.newest(9)).map((name) => name.slice(-6))).toEqual(['m5.eml', 'm4.eml', 'm3.eml'])
})

test('an incomplete file of a mailbox that died is not a mail, and is deleted', async () => {
  await writeFile(join(folder, '.0f8fad5b-d9cb-469f-a165-70867728950e.tmp'), 'half a m')
  const mails = mailFolder(folder)
  await mails.save(mail('whole'))
  await mails.tidy()
  expect(await readdir(folder)).toEqual([expect.stringMatching(/whole\.eml$/)])
})

test('a mail that cannot be stored is rejected', async () => {
  await writeFile(join(folder, 'file'), '')
  await expect(mailFolder(join(folder, 'file')).save(mail('lost'))).rejects.toThrow('EEXIST')
})

test('malformed and malicious mails are listed, and so are the others', async () => {
  const mails = mailFolder(folder)
  const server = createMailPages(mails, 'the-token-of-the-pages')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const deep = Array.from(
      { length: 400 },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}`,
    )
    await mails.save(Buffer.from(`Message-ID: <deep@x>\r\nSubject: deep\r\n${deep.join('\r\n')}\r\n\r\nx`))
    await mails.save(mail('long', `To: ${'a'.repeat(100_000)}@x\r\nX-Fill: ${'b'.repeat(3_000_000)}\r\n`))
    await mails.save(Buffer.alloc(50_000, 0))
    await mails.save(mail('date', `Date: "><script>1</script>\r\nTo: "<script>" <a@x>\r\n`))
    await mails.save(mail('good'))
    const address: AddressInfo | string | null = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('not listening')
    const response = await fetch(`http://127.0.0.1:${address.port}/`, {
      headers: { authorization: 'Bearer the-token-of-the-pages' },
    })
    const page = await response.text()
    expect(response.status).toBe(200)
    for (const subject of ['deep', 'long', 'date', 'good']) expect(page).toContain(`>${subject}</a>`)
    expect(page).not.toContain('<script')
    expect(page.length).toBeLessThan(10_000)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
