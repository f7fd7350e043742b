import { expect, test } from 'vitest'
import { LEFT_OUT, leaveOutSecret } from './leave-out-secret.ts'

const written = (value: unknown): unknown => JSON.parse(JSON.stringify(value, leaveOutSecret))

test.each([
  'password',
  'smtpPassword',
  'SMTP_PASSWORD',
  'client-secret',
  'secret.key',
  'accessToken',
  'API key',
  'x-api-key',
  'apiKey',
  'private_key',
  'Credentials',
  'Authorization',
  'authorisation',
  'to\u200Bken',
])('a field named %j is left out, whatever its value and depth', (name) => {
  for (const secret of ['hush', '', 5, null, ['hush'], { hush: 'hush' }]) {
    expect(written({ [name]: secret })).toEqual({ [name]: LEFT_OUT })
    expect(written({ a: [{ b: { [name]: secret, c: 1 } }] })).toEqual({ a: [{ b: { [name]: LEFT_OUT, c: 1 } }] })
  }
})

test('all other fields are stored unchanged', () => {
  const fields = { author: 'Ada', key: 'secret', at: new Date(0), pass: [1, null], keys: { private: true, api: 1 } }
  expect(written(fields)).toEqual({ ...fields, at: '1970-01-01T00:00:00.000Z' })
  expect(written({ password: undefined })).toEqual({})
  expect(JSON.parse(JSON.stringify({ token: 'hush' }), leaveOutSecret)).toEqual({ token: LEFT_OUT })
  expect(JSON.parse('null', leaveOutSecret)).toBeNull()
})
