import { describe, expect, test } from 'vitest'
import { withoutLinks } from './without-links.ts'

/**
 * The patterns that mail programs look for, according to public sources and linkify-it: with a scheme, with www, a bare
 * domain, an address.
 */
const LINKS = [
  /[a-z][a-z0-9+.-]*:[^\s]/iu,
  /\/\/\S/u,
  /\\\\\S/u,
  /www[.\u3002\uff0e\uff61]\S/iu,
  /[\p{L}\p{N}-][.\u2024\u3002\uff0e\uff61][\p{L}\p{M}]{2,}/iu,
  /\S@\S/u,
  /\d+\.\d+\.\d+\.\d+/u,
  // libphonenumber ignores these zero-width characters between digits, and other scanners ignore none.
  /\d(?:[\s().\-/\u00ad\u200b\u2060]*\d){6,}/u,
]

describe('text of a buyer', () => {
  test.each([
    'You won, visit http://evil.example',
    'HTTPS://EVIL.EXAMPLE/a?b=c#d',
    'www.evil.example',
    'evil.example/prize',
    'go to evil.co.uk now',
    'evil.xn--p1ai',
    'пример.рф',
    'evil。example',
    'evil．example',
    'evil.\u200bexample',
    'evil\u2060.example',
    'evil.\u200cexample',
    'h\u00adttp://evil.example',
    'mailto:spam@evil.example',
    'spam@evil.example',
    'spam＠evil.example',
    'tel:+49301234567',
    'call +1 (900) 555-0100',
    'call 0900/55 50 100',
    'call 09005550100',
    'whatsapp:message',
    '//evil.example/x',
    '\\\\evil\\share',
    'http://192.168.0.1/x',
    '192.168.0.1/x',
    'http\n://evil.example',
    'javascript:alert(1)',
    'http:http://a.b.example',
    'a.b@c.d.example:80//x',
  ])('does not become a link in a mail program: %j', (text) => {
    const shown = withoutLinks(text)
    for (const link of LINKS) expect(shown).not.toMatch(link)
  })

  test.each([
    'Ada Lovelace',
    "Seán O'Brien-Müller",
    '12 Analytical Row',
    'Flat 3/4, House B',
    'c/o Grace Hopper',
    'Nr. 7a, 2. Stock',
    '東京都千代田区1-2-3',
    'می\u200cخواهم',
    'W1 1AA',
    '90210',
    '123-456',
    '# 12',
  ])('stays as it was typed when it is a plain name or address: %j', (text) => {
    expect(withoutLinks(text)).toBe(text)
  })

  test('stays readable when a part of a name looks like a link', () => {
    expect(withoutLinks('J.R.R. Tolkien')).toBe('J. R. R. Tolkien')
    expect(withoutLinks('Stein GmbH & Co.KG')).toBe('Stein GmbH & Co. KG')
    expect(withoutLinks('Attn:Bob')).toBe('Attn: Bob')
    expect(withoutLinks('12345-6789').replaceAll('\u200c', '')).toBe('12345-6789')
  })

  test('of any length is processed in bounded time', () => {
    const before = process.threadCpuUsage()
    for (const text of [
      '1 '.repeat(5000),
      '.a'.repeat(5000),
      '1.'.repeat(5000),
      '@'.repeat(5000),
      'a\u0301'.repeat(5000),
    ]) {
      expect(withoutLinks(text).length).toBeGreaterThan(0)
    }
    // Time that grows with the square of the length stays far below this; with its cube it would be hours.
    expect(process.threadCpuUsage(before).user).toBeLessThan(20_000_000)
  })
})
