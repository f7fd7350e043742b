import { useEffect } from 'react'

/** The part of a form of @mantine/form that matters here. */
export interface StoredForm<Values> {
  isDirty: () => boolean
  setInitialValues: (values: Values) => void
  setValues: (values: Values) => void
}

/** Shows these values in a form, as those that are stored. */
export function showStored<Values>(form: StoredForm<Values>, values: Values): void {
  form.setInitialValues(values)
  form.setValues(values)
}

/** Shows what someone else, or an undo, has stored meanwhile. What is being changed here stays. */
export function useStored<Values>(form: StoredForm<Values>, stored: Values, isSaving: boolean): void {
  const isDirty = form.isDirty()
  useEffect(() => {
    if (!isDirty && !isSaving) showStored(form, stored)
  }, [stored])
}
