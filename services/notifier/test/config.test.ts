import { describe, expect, test } from 'vitest'
import { readConfig } from '@storefront/service'
import { NotifierConfig } from '../src/config.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const GOOD = {
  NATS_URL: 'nats://localhost',
  ACTOR_PUBLIC_KEY: 'key',
  DATABASE_URL: 'postgres://localhost/shop',
  STOREFRONT_URL: 'https://shop.example.com/',
  STOREFRONT_WEBHOOK_SECRET: SECRET,
}

describe('the configuration', () => {
  test('allows private addresses in development and not in production, unless configured otherwise', () => {
    const allowed = (more: Record<string, string>) =>
      readConfig(NotifierConfig, { ...GOOD, ...more }).WEBHOOK_ALLOW_PRIVATE
    expect(allowed({})).toBe(true)
    expect(allowed({ APP_ENV: 'production' })).toBe(false)
    expect(allowed({ APP_ENV: 'production', WEBHOOK_ALLOW_PRIVATE: 'true' })).toBe(true)
    expect(allowed({ WEBHOOK_ALLOW_PRIVATE: 'false' })).toBe(false)
  })

  test('is rejected with the names of the invalid settings and without secrets', () => {
    const read = () =>
      readConfig(NotifierConfig, { ...GOOD, STOREFRONT_URL: 'ftp://x', STOREFRONT_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' })
    expect(read).toThrow(/STOREFRONT_URL[^]*STOREFRONT_WEBHOOK_SECRET: must hold 24 to 64 bytes/)
    expect(read).not.toThrow(/c2hvcnQ/)
  })

  test('may omit the mail server, but may name only an SMTP server', () => {
    expect(readConfig(NotifierConfig, { ...GOOD, SMTP_URL: '' }).SMTP_URL).toBeUndefined()
    expect(() => readConfig(NotifierConfig, { ...GOOD, SMTP_URL: 'http://localhost' })).toThrow('SMTP_URL')
  })
})
