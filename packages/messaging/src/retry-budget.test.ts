import { expect, test } from 'vitest'
import { retryBudget } from './retry-budget.ts'

test('the budget covers every open request once, as after a crash, and then one request in five', () => {
  const budget = retryBudget()
  let granted = 0
  while (budget.take()) granted++
  expect(granted).toBe(512)
  let more = 0
  for (let request = 0; request < 1000; request++) {
    budget.countRequest()
    if (budget.take()) more++
  }
  expect(more).toBeGreaterThanOrEqual(199)
  expect(more).toBeLessThanOrEqual(200)
})
