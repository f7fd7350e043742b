import { init } from 'i18next'
import { expect, test } from 'vitest'
import { relativeText } from './relative-text.ts'

const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-03-04T01:00:00Z')

test('a time is told by how far it is, not by a day that it may not have been', async () => {
  await init({ lng: 'en', resources: {} })
  const texts = [-0.01, -0.5, -30, -40 * 24, -400 * 24, 26].map((hours) => relativeText(NOW + hours * HOUR_MS, NOW))
  expect(texts).toEqual(['now', '30 minutes ago', '1 day ago', '1 month ago', '1 year ago', 'in 1 day'])
})
