import { domainToASCII } from 'node:url'
import { array, assert, constantFrom, emailAddress, oneof, pre, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mailboxOf, readEmailAddress } from './email-address.ts'

const canonical = (text: string) => readEmailAddress(text)?.canonical

describe('an email address', () => {
  test.each([
    ['ada@mail.example', 'ada@mail.example'],
    [' Ada@Mail.EXAMPLE\n', 'ada@mail.example'],
    ['a.b+c@sub.mail.example', 'a.b+c@sub.mail.example'],
    ["o'neil@mail.example", "o'neil@mail.example"],
    ['a..b.@ma-il.example', 'a..b.@ma-il.example'],
    ['strauß@straße.example', 'strauß@xn--strae-oqa.example'],
    ['mu\u0308ller@mu\u0308nchen.example', 'm\u00fcller@xn--mnchen-3ya.example'],
    ['m\u00fcller@M\u00dcNCHEN.example', 'm\u00fcller@xn--mnchen-3ya.example'],
    ['ada@XN--MNCHEN-3YA.example', 'ada@xn--mnchen-3ya.example'],
    // IDNA maps full-width letters and the Kelvin sign to the plain letters of a domain.
    ['ada@\uff4d\uff41\uff49\uff4c\uff0e\uff45\uff58ample', 'ada@mail.example'],
    ['ada@\u212ait.example', 'ada@kit.example'],
    ['ada@mail\u3002example', 'ada@mail.example'],
    ['用户@例子.example', '用户@xn--fsqu00a.example'],
  ])('%j has the canonical form %j', (text, expected) => {
    expect(readEmailAddress(text)).toEqual({ typed: text.trim(), canonical: expected })
  })

  test.each([
    'ada',
    'ada@',
    '@mail.example',
    'ada@mail',
    'a b@mail.example',
    'a@b@mail.example',
    'a@mail.example\nb',
    'a@mail.example,b@mail.example',
    '"a b"@mail.example',
    'ada@mail..example',
    'ada@.mail.example',
    'ada@mail.example.',
    'ada@-mail.example',
    'ada@mail-.example',
    'ada@ma_il.example',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    'ada@0x7f.0.0.11',
    'ada@xn--a.example',
    'ada@xn--mail-.example',
    `ada@${'m'.repeat(64)}.example`,
    `ada@${'mail.'.repeat(50)}example`,
    `${'a'.repeat(65)}@mail.example`,
    `${'ü'.repeat(33)}@mail.example`,
    '',
  ])('is not %j', (text) => {
    expect(readEmailAddress(text)).toBeUndefined()
  })

  const HIDDEN = {
    'a null character': '\u0000',
    'a bell character': '\u0007',
    'a tab': '\t',
    'a delete character': '\u007f',
    'a next-line character': '\u0085',
    'a soft hyphen': '\u00ad',
    'an Arabic letter mark': '\u061c',
    'a Hangul filler': '\u3164',
    'a no-break space': '\u00a0',
    'a zero-width space': '\u200b',
    'a zero-width joiner': '\u200d',
    'a left-to-right mark': '\u200e',
    'a right-to-left override': '\u202e',
    'a line separator': '\u2028',
    'a word joiner': '\u2060',
    'a left-to-right isolate': '\u2066',
    'a blank Braille pattern': '\u2800',
    'a variation selector': '\ufe0f',
    'a byte order mark': '\ufeff',
    'a tag character': '\u{e0061}',
    'an unpaired surrogate': '\ud800',
    'a private-use character': '\ue000',
  }
  test.each(Object.entries(HIDDEN))('cannot contain %s in either part', (_name, character) => {
    expect(readEmailAddress(`a${character}da@mail.example`)).toBeUndefined()
    expect(readEmailAddress(`ada@ma${character}il.example`)).toBeUndefined()
  })

  test.each(['\u212a', '\u0130', '\u0131', '\u017f', '\uff41', '\ufb01', '\u00aa', '\u00b2', '\u037e', '\u{1d41a}'])(
    'cannot contain %j in the local part, which other systems read as ASCII',
    (character) => {
      expect(readEmailAddress(`ad${character}@mail.example`)).toBeUndefined()
    },
  )

  test('at a domain with a dotted capital I differs from the one with a plain i', () => {
    expect(canonical('victim@gma\u0130l.test')).toBe('victim@xn--gmail-bgd.test')
    expect(canonical('victim@gma\u0131l.test')).toBe('victim@xn--gmal-nza.test')
    expect(canonical('victim@GMAIL.test')).toBe('victim@gmail.test')
  })

  test('is parsed at once, however long it is', () => {
    const before = process.threadCpuUsage()
    readEmailAddress(`${'a.'.repeat(50_000)}@${'b.'.repeat(50_000)}`)
    readEmailAddress(`${'\u0130'.repeat(150)}@${'\u0130'.repeat(150)}`)
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000)
  })
})

/** Labels in several scripts, with letters that fold into others. */
const label = array(constantFrom(...Array.from('abkimsIKMS09éÉüÜßıİſKｋ例אшШσςΣ'), 'e\u0301', 'u\u0308'), {
  minLength: 2,
  maxLength: 6,
}).map((letters) => letters.join(''))
const localPart = array(constantFrom(...Array.from('abkimsIKMS09.+-_!éÉüÜßåÅшШσς'), 'e\u0301', 'A\u030a'), {
  minLength: 1,
  maxLength: 8,
}).map((letters) => letters.join(''))
const typedAddress = tuple(localPart, label, constantFrom('test', 'TEST', 'xn--p1ai', 'рф'))
const addressOf = ([local, name, zone]: [string, string, string]) => `${local}@${name}.${zone}`

describe('the canonical form', () => {
  test('is its own canonical form', () => {
    assert(
      property(oneof(typedAddress.map(addressOf), emailAddress()), (text) => {
        const first = canonical(text)
        pre(first !== undefined)
        expect(canonical(first)).toBe(first)
      }),
    )
  })

  test('is the same for all spellings of one mailbox', () => {
    assert(
      property(typedAddress, ([local, name, zone]) => {
        const expected = canonical(addressOf([local, name, zone]))
        pre(expected !== undefined)
        const inAscii = domainToASCII(`${name}.${zone}`)
        for (const domain of [`${name}.${zone}`, inAscii, inAscii.toUpperCase(), `${name}.${zone}`.normalize('NFD')]) {
          for (const spelling of [local, local.normalize('NFC'), local.normalize('NFD')]) {
            expect(canonical(` ${spelling}@${domain} `)).toBe(expected)
          }
        }
      }),
    )
  })

  test('is never the same for two mailboxes', () => {
    // The reference for domains is another implementation of IDNA, that of Node.
    assert(
      property(typedAddress, typedAddress, (one, other) => {
        const [first, second] = [canonical(addressOf(one)), canonical(addressOf(other))]
        pre(first !== undefined && second !== undefined)
        const sameLocalPart =
          one[0].normalize('NFC').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) ===
          other[0].normalize('NFC').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
        const sameDomain = domainToASCII(`${one[1]}.${one[2]}`) === domainToASCII(`${other[1]}.${other[2]}`)
        expect(first === second).toBe(sameLocalPart && sameDomain)
      }),
      { numRuns: 2000 },
    )
    assert(
      property(localPart, label, label, (local, one, other) => {
        const [first, second] = [canonical(`${local}@${one}.test`), canonical(`${local}@${other}.test`)]
        pre(first !== undefined && second !== undefined)
        expect(first === second).toBe(domainToASCII(`${one}.test`) === domainToASCII(`${other}.test`))
      }),
      { numRuns: 2000 },
    )
  })

  test('consists of plain characters for a plain address, as the database function computes it', () => {
    // This is the pattern of plain_email_canonical() in the migrations of identity and orders.
    const plain = /^[!-?A-~]{1,64}@([A-Za-z0-9](-?[A-Za-z0-9])*\.)+[A-Za-z](-?[A-Za-z0-9])*[A-Za-z0-9]$/
    assert(
      property(oneof(typedAddress.map(addressOf), emailAddress()), (text) => {
        const read = canonical(text)
        pre(plain.test(text) && read !== undefined)
        expect(read).toBe(text.toLowerCase())
      }),
    )
  })
})

describe('a mailbox', () => {
  test.each([
    ['ada@mail.example', 'ada@mail.example'],
    ['ada+shop@mail.example', 'ada@mail.example'],
    ['ada+a+b@mail.example', 'ada@mail.example'],
    ['+ada@mail.example', '+ada@mail.example'],
    ['a.d.a@mail.example', 'a.d.a@mail.example'],
    ['a.d.a+x@gmail.com', 'ada@gmail.com'],
    ['ada@googlemail.com', 'ada@gmail.com'],
  ])('of %j is %j', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox)
  })
})
