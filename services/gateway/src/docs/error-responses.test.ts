import { expect, test } from 'vitest'
import { ERROR_STATUS } from '@storefront/contracts'
import { ERROR_EXAMPLES, ErrorResponses } from './error-responses.ts'

test('the codes of an operation are listed by status, with those of the gateway', () => {
  const errors = new ErrorResponses()
  const responses = errors.of(['out_of_stock', 'conflict', 'cart_not_found', 'not a code'])
  expect(responses).toMatchObject({
    404: { $ref: '#/components/responses/404.cart_not_found' },
    409: { $ref: '#/components/responses/409.conflict.out_of_stock' },
    429: { $ref: '#/components/responses/429.rate_limited' },
  })
  expect(Object.keys(responses)).toEqual(['400', '404', '409', '414', '429', '500', '502', '503', '504'])
})

test('a response names each code with a sentence, and has an example of each', () => {
  const errors = new ErrorResponses()
  errors.of(['out_of_stock', 'conflict'])
  errors.of(['conflict', 'out_of_stock'])
  expect(errors.components['409.conflict.out_of_stock']).toMatchObject({
    description: expect.stringMatching(/^`conflict`: .+\.\n\n`out_of_stock`: .+\.$/),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: {
          conflict: { $ref: '#/components/examples/conflict' },
          out_of_stock: { $ref: '#/components/examples/out_of_stock' },
        },
      },
    },
  })
})

test('every code is described in sentences, for programmers and for the person who sees it', () => {
  expect(Object.keys(ERROR_EXAMPLES).toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted())
  for (const [code, { description, value }] of Object.entries(ERROR_EXAMPLES)) {
    expect(description, code).toMatch(/^[A-Z].*[.]$/)
    expect(value, code).toMatchObject({ code, message: expect.stringMatching(/^[A-Z`].*[.?]$/) })
  }
})
