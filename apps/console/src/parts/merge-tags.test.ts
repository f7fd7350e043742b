import { expect, test } from 'vitest'
import { mergeTags } from './merge-tags.ts'

test.each([
  ['a tag is added', ['gift'], ['gift', 'VIP'], ['gift'], ['gift', 'VIP']],
  ['another person adds one meanwhile', [], ['VIP'], ['allergic to wool'], ['allergic to wool', 'VIP']],
  ['another person removes one meanwhile', ['gift'], ['gift', 'VIP'], [], ['VIP']],
  ['both add the same, written differently', [], ['Vip'], ['VIP'], ['VIP']],
  ['a tag is removed, and another person adds one', ['gift'], [], ['gift', 'do not ship'], ['do not ship']],
])('%s', (_, former, wanted, current, merged) => {
  expect(mergeTags(former, wanted, current)).toEqual(merged)
})
