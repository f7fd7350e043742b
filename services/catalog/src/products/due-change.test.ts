import { expect, test } from 'vitest'
import { dueChange } from './due-change.ts'

const NOW = new Date('2026-03-02T09:00:00.000Z')
const EARLY = '2026-03-02T08:00:00.000Z'
const LATER = '2026-03-02T08:59:00.000Z'
const NEXT = '2026-03-02T09:00:00.001Z'

test('a product is published or hidden when its time has come, and not before', () => {
  expect(dueChange({ publishAt: NOW.toISOString() }, NOW)).toEqual({ published: true, publishAt: null })
  expect(dueChange({ unpublishAt: EARLY }, NOW)).toEqual({ published: false, unpublishAt: null })
  expect(dueChange({ publishAt: NEXT, unpublishAt: null }, NOW)).toEqual({})
  expect(dueChange({}, NOW)).toEqual({})
})

test('a time that has not come stays', () => {
  expect(dueChange({ publishAt: EARLY, unpublishAt: NEXT }, NOW)).toEqual({ published: true, publishAt: null })
  expect(dueChange({ publishAt: NEXT, unpublishAt: EARLY }, NOW)).toEqual({ published: false, unpublishAt: null })
})

test('if both times have come, the later one decides', () => {
  const both = { publishAt: null, unpublishAt: null }
  expect(dueChange({ publishAt: EARLY, unpublishAt: LATER }, NOW)).toEqual({ published: false, ...both })
  expect(dueChange({ publishAt: LATER, unpublishAt: EARLY }, NOW)).toEqual({ published: true, ...both })
})
