import { expect, test } from 'vitest'
import { withExamples, type Example } from './examples.ts'

const EXAMPLE: Example = {
  caller: 'anonymous',
  path: { id: 'cart_1' },
  query: {},
  headers: { 'idempotency-key': 'once' },
  bodies: { 'application/json': { quantity: 2 } },
  replies: { 200: { 'application/json': { id: 'cart_1' } } },
}

test('an example is added only where its operation describes a value', () => {
  const schema = { type: 'object' }
  const media = { 'application/json': { schema }, 'text/csv': { schema } }
  const operation = {
    summary: 'Add a variant to the cart',
    parameters: [
      { in: 'path', name: 'id', schema },
      { in: 'query', name: 'page', schema },
      { in: 'header', name: 'idempotency-key', schema },
    ],
    requestBody: { required: true, content: media },
    responses: { 200: { description: 'The cart.', content: media }, 404: { $ref: '#/components/responses/404' } },
  }
  const filled = (value: unknown) => ({ 'application/json': { schema, example: value }, 'text/csv': { schema } })
  expect(withExamples(operation, EXAMPLE)).toEqual({
    summary: 'Add a variant to the cart',
    parameters: [
      { in: 'path', name: 'id', schema, example: 'cart_1' },
      { in: 'query', name: 'page', schema },
      { in: 'header', name: 'idempotency-key', schema, example: 'once' },
    ],
    requestBody: { required: true, content: filled({ quantity: 2 }) },
    responses: {
      200: { description: 'The cart.', content: filled({ id: 'cart_1' }) },
      404: { $ref: '#/components/responses/404' },
    },
  })
})

test('the example of an image is a URL of the demo shop', () => {
  const media = { schema: { type: 'string', format: 'binary' } }
  const operation = {
    responses: { 200: { content: { 'image/svg+xml': media, 'image/jpeg': media, 'image/png': media } } },
  }
  const example = { ...EXAMPLE, path: { '*': 'demo/shirt.svg' }, replies: {} }
  expect(withExamples(operation, example)).toMatchObject({
    responses: {
      200: {
        content: {
          'image/svg+xml': { ...media, examples: { picture: { externalValue: 'media/demo/shirt.svg' } } },
          'image/jpeg': { ...media, examples: { thumbnail: { externalValue: 'media/thumbnails/demo/shirt.svg.jpg' } } },
          'image/png': { ...media, examples: { picture: { summary: expect.stringContaining('has none') } } },
        },
      },
    },
  })
})
