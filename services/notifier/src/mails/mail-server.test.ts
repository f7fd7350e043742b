import { describe, expect, test } from 'vitest'
import { mailServerFor } from './mail-server.ts'
import { resultOfFailure } from './smtp-failure.ts'

const url = 'smtp://shop:p%40ss@mail.example:2525'

describe('the mail server', () => {
  test("is the operator's while the merchant has none", () => {
    const server = { host: 'mail.example', port: 2525, secure: false, isOperators: true }
    expect(mailServerFor(undefined, url)).toEqual({
      ...server,
      auth: { user: 'shop', pass: 'p@ss' },
    })
    expect(mailServerFor({ host: ' ' }, url)).toMatchObject({ host: 'mail.example', isOperators: true })
    expect(mailServerFor(undefined, undefined)).toBeUndefined()
  })

  test("is the merchant's, and never gets the operator's password", () => {
    const named = { host: 'smtp.example', user: 'me' }
    expect(mailServerFor(named, url)).toEqual({
      host: 'smtp.example',
      port: 587,
      secure: false,
      auth: { user: 'me', pass: '' },
      isOperators: false,
    })
    expect(mailServerFor({ ...named, secure: true }, url)?.port).toBe(465)
    expect(mailServerFor({ host: 'smtp.example', port: 25, user: '' }, url)).toMatchObject({ port: 25 })
    expect(mailServerFor({ host: 'smtp.example', user: '' }, url)?.auth).toBeUndefined()
  })
})

describe('a failure', () => {
  const failure = (facts: object) => Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:587'), facts)

  test('of the connection does not reveal the address behind a name', () => {
    const known = resultOfFailure(failure({ code: 'ECONNREFUSED', syscall: 'connect' }), {})
    expect(known).toEqual({ kind: 'broken', answer: 'ECONNREFUSED: the mail server refuses connections' })
    const other = resultOfFailure(failure({ code: 'EADDRNOTAVAIL', syscall: 'connect' }), {})
    expect(other.answer).not.toContain('10.1.2.3')
  })

  test('does not repeat the password, however the server does', () => {
    const facts = { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535, permanent: true }
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const response = `535 not AUTH PLAIN ${base64('\0me\0s3cret')}, ${base64('s3cret')} nor s3cret`
    const result = resultOfFailure(failure({ ...facts, response }), { auth: { user: 'me', pass: 's3cret' } })
    const answer = '535 not AUTH PLAIN [left out], [left out] nor [left out]'
    expect(result).toMatchObject({ kind: 'rejected', permanent: false, answer })
  })
})
