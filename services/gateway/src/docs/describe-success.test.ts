import { expect, test } from 'vitest'
import { describeSuccess } from './describe-success.ts'

const undescribed = (schema: unknown, type = 'application/json') => ({
  description: 'Default Response',
  content: { [type]: { schema } },
})
const reference = { $ref: '#/components/schemas/Cart' }

test.each([
  ['a named schema', '200', undescribed(reference), 'The `Cart`.'],
  ['a list', '200', undescribed({ properties: { items: { items: reference }, total: {} } }), 'A list of `Cart`.'],
  ['a confirmation', '200', undescribed({ properties: { ok: {} } }), 'The operation was successful.'],
  ['anything else', '200', undescribed({ properties: { token: {}, customer: reference } }), 'The result.'],
  ['a job', '202', undescribed({ properties: { id: {} } }), 'It was accepted and continues in the background.'],
  ['a picture', '200', undescribed({ type: 'string' }, 'image/webp'), 'The picture.'],
  ['a page', '200', undescribed({ type: 'string' }, 'text/html'), 'The text.'],
  ['nothing new', '304', { description: 'Default Response' }, expect.stringContaining('ETag')],
])('%s is described in a sentence', (_what, status, response, description) => {
  expect(describeSuccess(status, response)).toMatchObject({ description })
})

test('the description that a route gives its response is kept', () => {
  const response = { ...undescribed(reference), description: 'The cart with the new line.' }
  expect(describeSuccess('200', response)).toEqual(response)
})
