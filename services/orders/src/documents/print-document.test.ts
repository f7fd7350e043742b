import { expect, test } from 'vitest'
import { printDocument } from './print-document.ts'
import type { PrintedDocument } from './printed-document.ts'

const documentOf = (lines: number): PrintedDocument => ({
  title: 'List',
  number: '1',
  locale: 'en-GB',
  createdAt: new Date('2026-01-01'),
  shop: { name: 'Shop', lines: [] },
  facts: [],
  recipient: { heading: 'To', lines: ['Ada'] },
  columns: [
    { heading: '', share: 0.1 },
    { heading: 'Name', share: 0.9 },
  ],
  rows: Array.from({ length: lines }, (_, each) => ['box', { text: `Line ${each}`, below: 'more of it' }]),
  sums: [{ label: 'Sum', value: String(lines) }],
})

test('other work is done between the lines of a long document', async () => {
  let turns = 0
  let isPrinted = false
  const count = () => {
    turns++
    if (!isPrinted) setImmediate(count)
  }
  setImmediate(count)
  await printDocument(documentOf(100))
  isPrinted = true
  expect(turns).toBeGreaterThanOrEqual(20)
})

test('the same document has the same bytes', async () => {
  const [one, other] = await Promise.all([printDocument(documentOf(3)), printDocument(documentOf(3))])
  expect(one.equals(other)).toBe(true)
  expect(one.equals(await printDocument(documentOf(4)))).toBe(false)
})

test.each([
  ['en-US', '612'],
  ['fr-CA', '612'],
  ['en-GB', '595.28'],
  ['de', '595.28'],
])('in %s the paper is %s points wide', async (locale, width) => {
  const bytes = await printDocument({ ...documentOf(1), locale })
  expect(bytes.toString('latin1')).toContain(`/MediaBox [0 0 ${width} `)
})
