import { StorefrontError } from '@storefront/client'
import type { UseFormReturnType } from '@mantine/form'
import { t } from 'i18next'
import { errorSentence } from '../../../messages/error-sentence.ts'
import { member } from '../../../parts/json.ts'
import { faultsOf } from '../../settings/faults.ts'
import { ADDRESS_FIELDS, type DraftValues } from './draft-values.ts'
import type { Draft } from './drafts-queries.ts'

/** What is wrong with fields of the form, by their paths in it: `address.region`. */
export type DraftFaults = Readonly<Record<string, string>>

const FIELD_OF_CODE: ReadonlyMap<string, string> = new Map([
  ['invalid_email', 'email'],
  ['invalid_discount', 'discountCode'],
  ['invalid_shipping_method', 'shippingMethod'],
  ['undeliverable_country', 'address.country'],
])

/** @param problem an error of the shop, or what it says about a stored draft; anything else is about no field */
export function draftFaults(problem: Draft['problem'] | Error | null): DraftFaults {
  if (!problem || (problem instanceof Error && !(problem instanceof StorefrontError))) return {}
  const field = FIELD_OF_CODE.get(problem.code)
  if (field !== undefined) return { [field]: errorSentence(problem.code, problem.message) }
  const missing = missingIn(problem).map((path): [string, string] => [path, t('fields.missing')])
  return Object.fromEntries(
    [...missing, ...Object.entries(faultsOf(problem))].map(([path, message]) => [fieldAt(path), message]),
  )
}

/** The properties of a field, with what is wrong with it. */
export function fieldProps(form: UseFormReturnType<DraftValues>, faults: DraftFaults, name: string) {
  const props = form.getInputProps(name)
  return { ...props, error: form.errors[name] ?? faults[name] }
}

const ADDRESS: ReadonlySet<string> = new Set([...ADDRESS_FIELDS, 'country'])

/** The shop names a field as its request does: `shippingAddress.region`, or `shipping_address.region`. */
function fieldAt(path: string): string {
  const name = path.split('.').at(-1) ?? ''
  return ADDRESS.has(name) ? `address.${name}` : name
}

function missingIn(problem: { code: string; detail?: unknown }): string[] {
  const { code, detail } = problem
  if (code === 'email_required') return ['email']
  const fields = code === 'missing_fields' ? member(detail, 'fields') : undefined
  return Array.isArray(fields) ? fields.map(String) : []
}
