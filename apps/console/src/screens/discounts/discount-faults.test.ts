import { init } from 'i18next'
import { expect, test } from 'vitest'
import english from '../../messages/en/fields.json' with { type: 'json' }
import { faultsOf } from './discount-faults.ts'
import { NEW_DISCOUNT } from './discount-values.ts'

const VALID = { ...NEW_DISCOUNT, code: 'SUMMER', worth: 10 }

test.each(['usageLimit', 'perCustomerLimit'] as const)('a minus sign alone is a fault of %s', async (field) => {
  await init({ lng: 'en', resources: { en: { translation: english } } })
  expect(faultsOf({ ...VALID, [field]: '-' }, 'USD')).toEqual({ [field]: 'Enter a whole number.' })
  for (const limit of ['', '007', 7]) expect(faultsOf({ ...VALID, [field]: limit }, 'USD')).toEqual({})
})
