import { expect, test } from 'vitest'
import { FollowedBytes } from './followed-bytes.ts'
import { robotsText } from './robots-text.ts'

const URL = 'https://shop.example'
const chunk = (text: string): Uint8Array => new TextEncoder().encode(text)

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks = []
  for await (const each of bytes) chunks.push(each)
  return Buffer.concat(chunks).toString()
}

test('two readers follow a file that is made once, and a third gets all of it afterwards', async () => {
  let resume: (() => void) | undefined
  const held = new Promise<void>((resolve) => (resume = resolve))
  let made = 0
  async function* source() {
    made++
    yield chunk('first ')
    await held
    yield chunk('second')
  }
  const file = new FollowedBytes(source())
  const early = file.read()
  expect((await early.next()).value).toEqual(chunk('first '))
  const late = textOf(file.read())
  resume?.()
  expect(await textOf(early)).toBe('second')
  expect(await late).toBe('first second')
  expect(await file.ended).toEqual({ isWhole: true })
  expect(await textOf(file.read())).toBe('first second')
  expect(made).toBe(1)
})

test('readers of a file that fails get the bytes that were made, and then the error', async () => {
  async function* source() {
    yield chunk('first ')
    throw new Error('no response')
  }
  const file = new FollowedBytes(source())
  const reader = file.read()
  expect((await reader.next()).value).toEqual(chunk('first '))
  await expect(reader.next()).rejects.toThrow('no response')
  expect(await file.ended).toEqual({ isWhole: false })
})

test('robots.txt says what the merchant has set, and nothing else', () => {
  expect(robotsText({ indexable: false }, URL)).toBe('User-agent: *\nDisallow: /\n')
  const set = robotsText({ disallow: ['/press', 'press', '/a\nAllow: /cart'], aiCrawlers: 'block' }, URL)
  expect(set).toContain('Disallow: /press\n')
  expect(set).not.toContain('Allow: /cart')
  expect(set).toContain('User-agent: GPTBot\n')
  const custom = robotsText({ aiCrawlers: 'custom', crawlers: { GPTBot: 'block', CCBot: 'allow', 'x\ny': false } }, URL)
  expect(custom).toContain('User-agent: GPTBot\nDisallow: /\n')
  expect(custom).not.toContain('CCBot')
  expect(robotsText(undefined, URL)).toContain(`Sitemap: ${URL}/sitemap.xml`)
})
