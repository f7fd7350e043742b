import { init } from 'i18next'
import { describe, expect, test } from 'vitest'
import { amountText, exampleAmount, readAmount } from './amounts.ts'

async function readIn(language: string, currency: string, text: string): Promise<number | undefined> {
  await init({ lng: language, resources: {} })
  return readAmount(text, currency)
}

describe('an amount is read as people write it', () => {
  test.each([
    ['en', 'USD', '1,200', 120_000],
    ['en', 'USD', '1,250.00', 125_000],
    ['en', 'USD', '1.250,00', 125_000],
    ['en', 'USD', '$1,234,567.8', 123_456_780],
    ['en', 'USD', '1,00,000', 10_000_000],
    ['en', 'USD', '12,5', 1250],
    ['en', 'USD', '12.5000', 1250],
    ['en', 'USD', '0.500', 50],
    ['de', 'EUR', '1.200,50', 120_050],
    ['de', 'EUR', '1.200', 120_000],
    ['de', 'EUR', '12.5', 1250],
    ['en', 'JPY', '1,200', 1200],
    ['de', 'JPY', '1.200', 1200],
    ['en', 'KWD', '1.250', 1250],
    ['en', 'KWD', '1,250.500', 1_250_500],
    ['de', 'KWD', '1,250', 1250],
  ])('%s %s %s', async (language, currency, text, amount) => {
    expect(await readIn(language, currency, text)).toBe(amount)
  })
})

describe('a text that could be two amounts, or is not an amount, is not read as one', () => {
  test.each([
    ['en', 'USD', '1.200'],
    ['de', 'EUR', '1,200'],
    ['en', 'JPY', '1.000'],
    ['de', 'JPY', '1,000'],
    ['en', 'KWD', '1,250'],
    ['de', 'KWD', '1.250'],
    ['en', 'USD', '1,2,3'],
    ['en', 'USD', '12,34.5'],
    ['en', 'USD', '1,000,00'],
    ['en', 'USD', '1.234,567.00'],
    ['en', 'USD', '-5'],
    ['en', 'JPY', '12.5'],
    ['en', 'USD', ''],
  ])('%s %s %s', async (language, currency, text) => {
    expect(await readIn(language, currency, text)).toBeUndefined()
  })
})

test.each([
  ['en', 'USD', 120_050],
  ['de', 'EUR', 120_050],
  ['en', 'JPY', 1200],
  ['de', 'KWD', 1_200_500],
])('an amount is read as it was written: %s %s', async (language, currency, amount) => {
  await init({ lng: language, resources: {} })
  expect(readAmount(amountText({ amount, currency }), currency)).toBe(amount)
})

test.each([
  ['en', 'USD', '12.50'],
  ['de', 'EUR', '12,50'],
  ['en', 'JPY', '1250'],
  ['en', 'XOF', '12.50'],
])('the example of an amount is one that is read: %s %s', async (language, currency, example) => {
  expect(await readIn(language, currency, example)).toBe(1250)
  expect(exampleAmount(currency)).toBe(example)
})
