import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { halfTypedTimes } from '../../../parts/half-typed-times.ts'
import { noticeDone, noticeFailure } from '../../../parts/notices.ts'
import type { ReadProduct } from '../products-queries.ts'
import { attemptSave, type AnyEdit } from './attempt-save.ts'
import { checkForm } from './check-form.ts'
import type { Conflict } from './conflict.ts'
import type { Issues } from './issues.ts'
import { formOf } from './product-form.ts'
import { rebased } from './rebase-form.ts'
import { useRememberSaved } from './use-remember-saved.ts'
import type { ProductFormState } from './use-product-form.ts'
import { removedVariants } from './variant-changes.ts'

/** What a save has led to so far. */
type Outcome =
  | { kind: 'none' }
  | { kind: 'saving' }
  | { kind: 'issues'; issues: Issues }
  | { kind: 'conflict'; conflict: Conflict }
  /** Variants with stock would be removed; the person decides. */
  | { kind: 'losesStock'; variants: readonly string[] }

const NONE: Outcome = { kind: 'none' }

export interface Saving {
  outcome: Outcome
  /** Counts the saves that mistakes have stopped: from the first on, they are shown. */
  stops: number
  save: (confirmed?: boolean) => Promise<void>
  close: () => void
  loadTheirs: (conflict: Conflict) => void
  keepMine: (conflict: Conflict) => Promise<void>
}

interface SavingOptions {
  state: ProductFormState
  currency: string
  onCreated: (created: ReadProduct) => void
}

/** Saving with all that may come in between: invalid fields, and edit conflicts. */
export function useSaving({ state, currency, onCreated }: SavingOptions): Saving {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<Outcome>(NONE)
  const [stops, setStops] = useState(0)
  const { rememberUpdated, rememberCreated } = useRememberSaved(state, currency)

  function stopFor(issues: Issues): void {
    setOutcome({ kind: 'issues', issues })
    setStops((count) => count + 1)
  }

  async function submit(edit: AnyEdit): Promise<void> {
    setOutcome({ kind: 'saving' })
    const attempt = await attemptSave(edit, currency)
    if (attempt.kind === 'issues') return stopFor(attempt.issues)
    setOutcome(attempt.kind === 'conflict' ? attempt : NONE)
    if (attempt.kind === 'failed') noticeFailure(attempt.error)
    if (attempt.kind === 'updated') rememberUpdated(attempt.saved, edit)
    if (attempt.kind !== 'created') return
    rememberCreated(attempt.created)
    noticeDone(t('products.created'))
    onCreated(attempt.created)
  }

  async function save(confirmed = false): Promise<void> {
    const { read, before, form } = state
    if (outcome.kind === 'saving' || !state.isDirty) return
    setOutcome(NONE)
    if (form.images.some(({ url, upload }) => url === '' && upload?.failure === undefined))
      return noticeFailure(new Error(t('products.images.wait')))
    const issues = halfTypedTimes(document, t('common.halfTime'))
    const found = checkForm(form, { currency, isNew: read === undefined }, t)
    if (Object.keys({ ...issues, ...found }).length > 0) return stopFor(issues)
    const lost = removedVariants(form, before).filter(({ stock }) => Number(stock) > 0)
    if (lost.length === 0 || confirmed) return submit({ read, before, form })
    setOutcome({ kind: 'losesStock', variants: lost.map(({ sku, stock }) => `${sku} (${stock})`) })
  }

  return {
    outcome,
    stops,
    save,
    close: () => setOutcome(NONE),
    loadTheirs({ theirs }) {
      state.restart(theirs)
      setOutcome(NONE)
    },
    keepMine({ theirs }) {
      const before = formOf(theirs.product)
      const form = rebased(state.form, state.before, before)
      state.restart(theirs, () => form)
      return submit({ read: theirs, before, form })
    },
  }
}
