import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { printJson, printTypescript } from './print-value.ts'

const LONG = {
  title: 'It\'s a "shirt" \\ with\nlines',
  'if-match': '"etag"',
  options: [
    { name: 'Size', values: ['S', 'M', 'L'] },
    { name: 'Color', values: ['White', 'Navy', 'Sage'] },
  ],
  price: { amount: 6800, currency: 'USD' },
  parent: null,
  published: true,
  nothing: {},
}

test('a value that fits is printed on one line, others are indented', () => {
  expect(printTypescript({ quantity: 2, sizes: ['S'] })).toBe("{ quantity: 2, sizes: ['S'] }")
  expect(printJson({ quantity: 2, sizes: ['S'] })).toBe('{ "quantity": 2, "sizes": ["S"] }')
  expect(printTypescript(LONG, 2).split('\n')).toEqual(
    expect.arrayContaining(['{', "    'if-match': '\"etag\"',", '    options: [', '  }']),
  )
})

test('a printed value is read back as the same value', () => {
  expect(JSON.parse(printJson(LONG))).toEqual(LONG)
  expect(runInNewContext(`JSON.stringify(${printTypescript(LONG)})`)).toBe(JSON.stringify(LONG))
})
