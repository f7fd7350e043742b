import { expect, it } from 'vitest'
import { readSettings } from './shop-settings.ts'

it('the settings have a default for every variable', () => {
  expect(readSettings({ PORT: '', PATH: '/bin' })).toMatchObject({
    PORT: 8080,
    ADMIN_EMAIL: 'admin@example.com',
    STOREFRONT_ORIGINS: ['http://localhost:5173', 'http://localhost:4173'],
    PUBLIC_BASE_PATH: '',
  })
})

it('the error lists all invalid variables, and no value', () => {
  const env = {
    PORT: '80a',
    ADMIN_PASSWORD: 'secret',
    STOREFRONT_ORIGINS: 'https://a.example/shop',
    RATE_LIMIT_AUTH: '-1',
  }
  expect(() => readSettings(env)).toThrow(
    'Correct the environment: PORT must be a port; STOREFRONT_ORIGINS must be origins such as http://localhost:5173, separated ' +
      'by commas; RATE_LIMIT_AUTH must be zero or more; ADMIN_PASSWORD must have 8 characters or more.',
  )
})

it('origins may have spaces between them, and a base path a slash at its end', () => {
  const settings = readSettings({
    STOREFRONT_ORIGINS: 'https://a.example, http://b.example:81',
    PUBLIC_BASE_PATH: '/v1/',
  })
  expect(settings.STOREFRONT_ORIGINS).toEqual(['https://a.example', 'http://b.example:81'])
  expect(settings.PUBLIC_BASE_PATH).toBe('/v1')
})

it('a sender may have a name, and other text is rejected', () => {
  for (const sender of ['shop@example.com', 'Linen & Sons <shop@example.com>', '<shop@example.com>']) {
    expect(readSettings({ MAIL_FROM: sender }).MAIL_FROM).toBe(sender)
  }
  for (const text of ['Shop', 'Shop <shop>', 'a@example.com, b@example.com', 'Shop\n<shop@example.com>']) {
    expect(() => readSettings({ MAIL_FROM: text })).toThrow('MAIL_FROM must look like Shop <shop@example.com>')
  }
})

it('webhooks may reach this machine by default', () => {
  expect(readSettings({}).WEBHOOK_ALLOW_PRIVATE).toBe('true')
  expect(readSettings({ WEBHOOK_ALLOW_PRIVATE: 'false' }).WEBHOOK_ALLOW_PRIVATE).toBe('false')
  expect(() => readSettings({ WEBHOOK_ALLOW_PRIVATE: 'no' })).toThrow('WEBHOOK_ALLOW_PRIVATE must be true or false')
})

it('a number of replicas that NATS cannot have is rejected before anything is started', () => {
  expect(readSettings({ NATS_REPLICAS: '3' }).NATS_REPLICAS).toBe(3)
  expect(readSettings({ NATS_REPLICAS: '' }).NATS_REPLICAS).toBeUndefined()
  expect(() => readSettings({ NATS_REPLICAS: '6' })).toThrow('NATS_REPLICAS must be a number from 1 to 5')
})
