import { expect, test } from 'vitest'
import { showSaved } from './stored-form.ts'

interface Values {
  title: string
  tags: string[]
  etag: string
}

/** A form that remembers what it was given, as the one of @mantine/form does. */
function formOf(values: Values) {
  const form = { values, initial: values }
  return {
    form,
    isDirty: () => form.values !== form.initial,
    getValues: () => form.values,
    getInitialValues: () => form.initial,
    setInitialValues: (next: Values) => void (form.initial = next),
    setValues: (next: Values) => void (form.values = next),
  }
}

const SENT = { title: ' Summer ', tags: ['new'], etag: '"1"' }
const SAVED = { title: 'Summer', tags: ['new'], etag: '"2"' }

test('a form shows what was saved, as the shop has it', () => {
  const shown = formOf({ ...SENT, tags: [...SENT.tags] })
  showSaved(shown, SENT, SAVED)
  expect(shown.form).toEqual({ values: SAVED, initial: SAVED })
})

test('what was typed while a save was under way stays, on top of what was saved', () => {
  const shown = formOf({ ...SENT, tags: ['new', 'linen'] })
  showSaved(shown, SENT, SAVED)
  expect(shown.form).toEqual({ values: { ...SAVED, tags: ['new', 'linen'] }, initial: SAVED })
})
