import { amount } from '@storefront/tools/testing'
import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readableText } from './readable-text.ts'

describe('a description in HTML', () => {
  test.each([
    [
      '<p>Soft &amp; light,\nwashed.</p><ul><li>One</li><li><p>Two</p></li></ul>',
      'Soft & light, washed.\n\n• One\n• Two',
    ],
    ['Caf&eacute; &hearts; &frac12; &notin; &nbsp;&rarr; 30&deg;', 'Café ♥ ½ ∉ → 30°'],
    ['<h2>Fit</h2><p>Runs<br>small</p><hr><p>Take <b>one</b> up</p>', 'Fit\n\nRuns\nsmall\n\nTake one up'],
    ['<a href="https://x.example">Our mill</a><img src="x.jpg" alt="y">', 'Our mill'],
    ['<style>p{}</style><script>alert(1)</script><iframe src=x></iframe>Seen', 'Seen'],
    ['Sizes 3 < 5 & 7 > 6', 'Sizes 3 < 5 & 7 > 6'],
    ['&lt;p&gt;Twice encoded&lt;/p&gt;', 'Twice encoded'],
    ['a &lt;b and all that follows', 'a b and all that follows'],
    ['<p>One</p>\n<p>Two</p>\n\n\n<div><div>Three</div></div>', 'One\n\nTwo\n\nThree'],
  ])('%j reads %j', (html, text) => {
    expect(readableText(html)).toBe(text)
  })

  test('has a line for each row of a table, with bars between the cells', () => {
    const html = `<p>Measured flat:</p><table><thead><tr><th>Size</th><th>Chest</th></tr></thead>
      <tbody><tr><td><p>S</p></td><td>90&nbsp;cm</td></tr><tr><td>M</td><td>95<br>to 97 cm</td></tr></tbody></table>After`
    expect(readableText(html)).toBe('Measured flat:\n\nSize | Chest\nS | 90 cm\nM | 95 to 97 cm\n\nAfter')
  })

  test('with endless nesting is cut where it gets too deep', () => {
    expect(readableText(`${'<div>'.repeat(30_000)}deep`)).toBe('…')
    expect(readableText(`${'<b>'.repeat(50)}deep`)).toBe('deep')
  })
})

test('text made from HTML contains nothing that a browser could take for markup', () => {
  const piece = constantFrom(
    '<',
    '>',
    '&lt;',
    '&gt;',
    '&amp;',
    '&#60;',
    '&#x3c;',
    'script',
    '/',
    '!--',
    '-->',
    '<b>',
    '</p>',
    '<img src=x onerror=alert(1)>',
    ' ',
    'text',
    '&',
    ';',
    'lt',
    '\u0130',
    '<svg',
    '"',
    '<table><tr><td>',
    '<ul><li>',
  )
  assert(
    property(array(piece, { maxLength: 40 }), (pieces) => {
      expect(readableText(pieces.join(''))).not.toMatch(/<[a-z/!?]/i)
    }),
    { numRuns: amount({ quick: 160, long: 2000 }) },
  )
})

test.each(['<', '&lt;', '<!--', '<b>', '<table><tr><td>', '<ul><li>', '&lt;b', '&lt;b&gt;', '<p><p '])(
  '%j repeated many times takes little time',
  (piece) => {
    const characters = amount({ quick: 60_000, long: 200_000 })
    const before = process.threadCpuUsage()
    readableText(piece.repeat(characters / piece.length))
    // In microseconds. Quadratic time would be far longer.
    expect(process.threadCpuUsage(before).user).toBeLessThan(25 * characters)
  },
)
