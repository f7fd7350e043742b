import { randomBytes } from 'node:crypto'
import { newId } from '@storefront/contracts'
import { describe, expect, test } from 'vitest'
import { createLinkTokens } from './link-tokens.ts'

const tokens = createLinkTokens(randomBytes(32))
const id = newId('confirmation')
const token = tokens.make('passwordReset', id)

describe('a token', () => {
  test('identifies its confirmation, and which of several purposes it has', () => {
    expect(tokens.read(token, ['passwordReset'])).toEqual({ purpose: 'passwordReset', id })
    expect(tokens.read(token, ['emailChange', 'passwordReset'])).toEqual({ purpose: 'passwordReset', id })
    expect(tokens.make('passwordReset', id)).toBe(token)
  })

  test('is invalid for another purpose, for another id, and under another key', () => {
    const [, secret] = token.split('.')
    const others = createLinkTokens(randomBytes(32))
    expect(() => tokens.read(token, ['emailChange', 'newsletter'])).toThrow('no longer works')
    expect(() => tokens.read(`${newId('confirmation')}.${secret}`, ['passwordReset'])).toThrow('no longer works')
    expect(() => others.read(token, ['passwordReset'])).toThrow('no longer works')
  })

  test('is rejected when any part of it was changed, including the unused bits of the last character', () => {
    for (let index = 0; index < token.length; index++) {
      for (const character of ['A', 'B', 'f', '0', '=', 'é']) {
        if (token[index] === character) continue
        const changed = token.slice(0, index) + character + token.slice(index + 1)
        expect(() => tokens.read(changed, ['passwordReset'])).toThrow('no longer works')
      }
    }
  })

  test.each([undefined, null, '', '.', id, `${id}.`, `${token}A`, `${token}\n`, ` ${token}`, 'x'.repeat(100_000)])(
    'is rejected when it is %j',
    (text) => {
      expect(() => tokens.read(text, ['passwordReset'])).toThrow('no longer works')
    },
  )
})
