import { useEffect, useRef } from 'react'
import { isSame } from './is-same.ts'
import { rebasedFields } from './rebased-fields.ts'

/** The part of a form of @mantine/form that matters here. */
export interface StoredForm<Values> {
  isDirty: () => boolean
  getValues: () => Values
  getInitialValues: () => Values
  setInitialValues: (values: Values) => void
  setValues: (values: Values) => void
}

/** Shows these values in a form, as those that are stored. */
export function showStored<Values>(form: StoredForm<Values>, values: Values): void {
  form.setInitialValues(values)
  form.setValues(values)
}

/**
 * Goes on from what was saved. What was typed while the save was under way stays.
 * @param sent the values of the form when the save began
 */
export function showSaved<Values extends object>(form: StoredForm<Values>, sent: Values, saved: Values): void {
  const next = rebasedFields(form.getValues(), sent, saved)
  form.setInitialValues(saved)
  form.setValues(next)
}

/** Shows what someone else, or an undo, has stored meanwhile. What is changed here stays until it is discarded. */
export function useStored<Values>(form: StoredForm<Values>, stored: Values, isSaving: boolean): void {
  const isChanging = form.isDirty() || isSaving
  /** What the change began with, if other values were stored during it. */
  const began = useRef<Values>(undefined)
  useEffect(() => {
    if (isChanging) began.current = form.getInitialValues()
    else showStored(form, stored)
  }, [stored])
  useEffect(() => {
    // After a save the form has newer initial values, and `stored` may be from before it.
    if (!isChanging && isSame(began.current, form.getInitialValues())) showStored(form, stored)
  }, [isChanging])
}
