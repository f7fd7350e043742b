import { describe, expect, test } from 'vitest'
import { averageOf, summaryOf } from './review-summary.ts'

const NOTHING = { stars: [0, 0, 0, 0, 0], fitSmall: 0, fitTrue: 0, fitLarge: 0, withPhotos: 0 }

describe('an average rating', () => {
  test('has two decimals, rounded half up', () => {
    expect(averageOf(13, 3)).toBe(4.33)
    expect(averageOf(14, 3)).toBe(4.67)
    expect(averageOf(33, 8)).toBe(4.13)
    expect(averageOf(5, 1)).toBe(5)
  })

  test('is the number 0 without reviews', () => {
    expect(averageOf(0, 0)).toBe(0)
  })
})

describe('a review summary', () => {
  test('of no reviews has five empty rows and no percentages', () => {
    expect(summaryOf(NOTHING)).toEqual({
      average: 0,
      count: 0,
      breakdown: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: 0 })),
      fit: { small: 0, true: 0, large: 0 },
      withPhotos: 0,
    })
  })

  test('counts the stars from five down and averages over all of them', () => {
    const summary = summaryOf({ ...NOTHING, stars: [1, 0, 2, 3, 1], withPhotos: 2 })
    expect(summary).toMatchObject({ average: 3.43, count: 7, withPhotos: 2 })
    expect(summary.breakdown).toEqual([
      { stars: 5, count: 1 },
      { stars: 4, count: 3 },
      { stars: 3, count: 2 },
      { stars: 2, count: 0 },
      { stars: 1, count: 1 },
    ])
  })

  test('gives percentages of the reviewers who rated the fit, and they sum to 100', () => {
    const summary = summaryOf({ ...NOTHING, stars: [0, 0, 0, 0, 50], fitSmall: 1, fitTrue: 1, fitLarge: 1 })
    expect(summary.fit).toEqual({ small: 34, true: 33, large: 33 })
    expect(summaryOf({ ...NOTHING, fitTrue: 3 }).fit).toEqual({ small: 0, true: 100, large: 0 })
  })
})
