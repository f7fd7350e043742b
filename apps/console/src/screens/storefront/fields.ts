import type english from '../../messages/en/storefront.json'
import { member } from '../../parts/json.ts'

type Texts = (typeof english)['storefront']
export type FieldName = keyof Texts['field']
type OptionName = keyof Texts['option']
export type SectionName = keyof Texts['section']
type TemplateName = keyof Texts['template']

interface Named {
  /** Below the part that holds it, steps joined by dots. */
  path: string
  label: FieldName
}

/** What can be added to a list. */
export interface Template {
  name: TemplateName
  item: unknown
}

export interface ListField extends Named {
  kind: 'list'
  /** What an item is called in the list. */
  titleOf: (item: unknown) => string
  fieldsOf: (item: unknown) => readonly Field[]
  templates: readonly Template[]
}

export type Field =
  | (Named & { kind: 'text' | 'longText' | 'lines' | 'switch' | 'number' | 'money' | 'percent' | 'picture' })
  | (Named & { kind: 'category' | 'collection' | 'countries' })
  /** The empty text is a value of its own. */
  | (Named & { kind: 'plainText' })
  | (Named & { kind: 'choice'; options: readonly { value: string; name: OptionName }[] })
  | ListField

export interface Section {
  name: SectionName
  fields: readonly Field[]
  /** What is removed to set the section back to its defaults. */
  roots: readonly string[]
}

/** What the input of a field takes. */
export interface InputProps<Value> {
  label: string
  error: string | undefined
  disabled: boolean
  'data-path': string
  value: Value
  onChange: (value: unknown) => void
}

export const text = (path: string, label: FieldName): Field => ({ kind: 'text', path, label })
export const field = (kind: Exclude<Field['kind'], 'choice' | 'list'>, path: string, label: FieldName): Field => ({
  kind,
  path,
  label,
})

/** @param options the values in their order, each with its name */
export const choice = (path: string, label: FieldName, options: Readonly<Record<string, OptionName>>): Field => ({
  kind: 'choice',
  path,
  label,
  options: Object.entries(options).map(([value, name]) => ({ value, name })),
})

/** @returns the first text among these members of an item */
export function titleIn(item: unknown, ...names: readonly string[]): string {
  if (typeof item === 'string') return item
  const found = names.map((name) => member(item, name)).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : ''
}
