import { expect, test } from 'vitest'
import { lowestPrice } from './lowest-price.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })
const priced = (amount: number, before?: number) => ({
  price: usd(amount),
  compareAtPrice: before === undefined ? null : usd(before),
})

test('a product costs what its cheapest variant costs, whatever its own price is', () => {
  const variants = [priced(7000), priced(6000, 8000), priced(6500)]
  expect(lowestPrice({ ...priced(5000, 9000), variants })).toEqual({
    price: usd(6000),
    before: usd(8000),
    isFrom: true,
  })
})

test('a product whose variants all cost the same has that price alone', () => {
  const variants = [priced(6000), priced(6000)]
  expect(lowestPrice({ ...priced(9200, 9900), variants })).toEqual({ price: usd(6000), before: null, isFrom: false })
})

test('a product without variants has its own price', () => {
  expect(lowestPrice({ ...priced(9200, 9900), variants: [] })).toEqual({
    price: usd(9200),
    before: usd(9900),
    isFrom: false,
  })
})
