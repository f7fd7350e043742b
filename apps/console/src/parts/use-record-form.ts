import { useMutation } from '@tanstack/react-query'
import { isConflict } from '../shop.ts'
import { AlreadyExists } from './already-exists.ts'
import type { Edit, EditedRecord } from './edit-conflict.ts'
import type { StoredForm } from './stored-form.ts'
import { useEditConflict } from './use-edit-conflict.tsx'
import { useOneAtATime } from './use-one-at-a-time.ts'

type Faults = Readonly<Record<string, string>>

interface RecordFormOptions<Values, Saved> {
  form: StoredForm<Values> & {
    values: Values
    setErrors: (faults: Faults) => void
    clearErrors: () => void
    reset: () => void
  }
  record: EditedRecord<Values>
  send: (edit: Edit<Values>) => Promise<Saved>
  /** What an error says about single fields. */
  faultsOf: (error: Error) => Faults
  /** @param sent the values of the form when the save began */
  onSaved: (saved: Saved, sent: Values) => void
}

/** Saves the form of one record, once at a time, and lets a person decide when someone else saved first. */
export function useRecordForm<Values, Saved = Values>(options: RecordFormOptions<Values, Saved>) {
  const { form, record, send, faultsOf, onSaved } = options
  const saving = useMutation<Saved, Error, Edit<Values>>({
    mutationFn: send,
    onMutate: form.clearErrors,
    onSuccess: (saved, { after }) => onSaved(saved, after),
    onError: (error, { before }) => {
      form.setErrors(faultsOf(error))
      void conflict.find(error, before)
    },
  })
  const saveOnce = useOneAtATime<Saved, Edit<Values>>(saving)
  const conflict = useEditConflict<Values>(record, form, (before, after) => saving.mutate({ before, after }))
  const { error, isPending } = saving
  return {
    isPending,
    /** Null for an error that is shown elsewhere: at a field, or as a conflict. */
    error: error instanceof AlreadyExists || isConflict(error) ? null : error,
    save: () => saveOnce({ before: form.getInitialValues(), after: form.values }),
    discard: () => {
      form.reset()
      saving.reset()
    },
    /** As a form in a dialog takes it. */
    conflict: { opened: conflict.isOpen, dialog: conflict.dialog },
  }
}
