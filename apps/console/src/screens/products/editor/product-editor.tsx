import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeUndo } from '../../../parts/notices.ts'
import { Page } from '../../../parts/page.tsx'
import { useCan } from '../../../session.ts'
import { StateBadge } from '../product-columns.tsx'
import type { ReadProduct } from '../products-queries.ts'
import { BasicsSection } from './basics-section.tsx'
import { checkForm } from './check-form.ts'
import { Contents } from './contents.tsx'
import { EditorContext, type Editor } from './editor-context.ts'
import { FabricSection } from './fabric-section.tsx'
import { FaultsAlert } from './faults-alert.tsx'
import { FitSection } from './fit-section.tsx'
import { ImagesSection } from './images-section.tsx'
import type { Issues } from './issues.ts'
import { MakerSection } from './maker-section.tsx'
import { OrganizationSection } from './organization-section.tsx'
import { PriceSection } from './price-section.tsx'
import { ProductPreview } from './preview/product-preview.tsx'
import { ProductActions } from './product-actions.tsx'
import classes from './product-editor.module.css'
import { PromisesSection } from './promises-section.tsx'
import { SaveBar } from '../../../parts/save-bar.tsx'
import { SaveDialogs } from './save-dialogs.tsx'
import { SearchSection } from './search-section.tsx'
import { OPEN_AT_FIRST, sectionOf, type SectionName } from './sections.ts'
import { SpecsSection } from './specs-section.tsx'
import { TextsSection } from './texts-section.tsx'
import { useProductForm } from './use-product-form.ts'
import { useSaving, type Saving } from './use-saving.ts'
import { VariantsSection } from './variants-section.tsx'

interface ProductEditorProps {
  /** Undefined for a new product. */
  read: ReadProduct | undefined
  currency: string
  onCreated: (created: ReadProduct) => void
}

const NO_ISSUES: Issues = {}

/** Everything about one product on one page. */
export function ProductEditor({ read, currency, onCreated }: ProductEditorProps): ReactNode {
  const { t } = useTranslation()
  const canWrite = useCan()('catalog:write')
  const state = useProductForm(read)
  const saving = useSaving({ state, currency, onCreated })
  const { form, before, change, isDirty, discard } = state
  const isNew = state.read === undefined
  const errors = useErrors({ form, currency, isNew }, saving)
  const [opened, setOpened] = useOpenedSections(errors, saving.stops)
  const faults = Object.keys(errors).length
  const editor = useMemo<Editor>(
    () => ({ form, before, change, isNew, canWrite, currency, errors, opened, setOpened }),
    [form, before, change, isNew, canWrite, currency, errors, opened, setOpened],
  )

  function discardChanges(): void {
    discard()
    noticeUndo(t('products.discarded'), async () => change(() => form))
  }

  return (
    <EditorContext value={editor}>
      <Page
        title={isNew ? t('products.new') : before.title}
        back={{ to: '/products', label: t('screens.products') }}
        aside={state.read && <StateBadge product={state.read.product} t={t} />}
        actions={
          <>
            <ProductPreview />
            {state.read && <ProductActions product={state.read.product} />}
          </>
        }
      >
        <div className={classes['layout']}>
          <div className={classes['sections']}>
            <FaultsAlert />
            <Sections />
          </div>
          <Contents />
        </div>
        <SaveBar
          isDirty={isDirty}
          action={t(isNew ? 'products.create' : 'common.save')}
          isSaving={saving.outcome.kind === 'saving'}
          fault={faults > 0 ? t('products.faultsLeft', { count: faults }) : undefined}
          onSave={() => void saving.save()}
          onDiscard={discardChanges}
        />
        <SaveDialogs saving={saving} />
      </Page>
    </EditorContext>
  )
}

function Sections(): ReactNode {
  return (
    <>
      <BasicsSection />
      <ImagesSection />
      <PriceSection />
      <VariantsSection />
      <OrganizationSection />
      <TextsSection />
      <FitSection />
      <FabricSection />
      <SpecsSection />
      <PromisesSection />
      <MakerSection />
      <SearchSection />
    </>
  )
}

/** Mistakes are shown from the first save on; those that the console can see itself go away once they are corrected. */
function useErrors(
  { form, currency, isNew }: Pick<Editor, 'form' | 'currency' | 'isNew'>,
  { outcome, stops }: Saving,
): Issues {
  const { t } = useTranslation()
  return useMemo(() => {
    if (stops === 0) return NO_ISSUES
    const found = outcome.kind === 'issues' ? outcome.issues : NO_ISSUES
    return { ...found, ...checkForm(form, { currency, isNew }, t) }
  }, [form, currency, isNew, outcome, stops, t])
}

/** Sections with mistakes open when a save is stopped, and the first field with one gets the focus. */
function useOpenedSections(errors: Issues, stops: number): [ReadonlySet<SectionName>, Editor['setOpened']] {
  const [opened, setOpened] = useState<ReadonlySet<SectionName>>(new Set(OPEN_AT_FIRST))
  const [shownStops, setShownStops] = useState(0)
  if (stops !== shownStops) {
    setShownStops(stops)
    setOpened(new Set([...opened, ...Object.keys(errors).map(sectionOf)]))
  }
  useEffect(() => {
    if (stops > 0) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [stops])
  const set = useMemo<Editor['setOpened']>(
    () => (name, isOpen) =>
      setOpened((now) => {
        const next = new Set(now)
        if (isOpen) next.add(name)
        else next.delete(name)
        return next
      }),
    [],
  )
  return [opened, set]
}
