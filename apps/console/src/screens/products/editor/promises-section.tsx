import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CardsEditor } from './cards-editor.tsx'
import { useEditor } from './editor-context.ts'
import { Section } from './section.tsx'
import { useVocabulary } from './use-vocabulary.ts'

/** Cards about features, and promises under the buy button. */
export function PromisesSection(): ReactNode {
  const { t } = useTranslation()
  const { form, change } = useEditor()
  const { features, assurances } = useVocabulary()
  return (
    <Section name="promises">
      <CardsEditor
        path="enrichment.features"
        headingField="title"
        label={t('products.promises.features')}
        description={t('products.promises.featuresHint')}
        add={t('products.promises.addFeature')}
        cards={form.features.map(({ icon, title, body }) => ({ icon, heading: title, text: body }))}
        suggestions={features.map(({ icon, title, body }) => ({ icon, heading: title, text: body }))}
        onChange={(cards) =>
          change(() => ({ features: cards.map(({ icon, heading, text }) => ({ icon, title: heading, body: text })) }))
        }
      />
      <CardsEditor
        path="enrichment.assurances"
        headingField="label"
        label={t('products.promises.assurances')}
        description={t('products.promises.assurancesHint')}
        add={t('products.promises.addAssurance')}
        cards={form.assurances.map(({ icon, label, note }) => ({ icon, heading: label, text: note }))}
        suggestions={assurances.map(({ icon, label, note = '' }) => ({ icon, heading: label, text: note }))}
        onChange={(cards) =>
          change(() => ({ assurances: cards.map(({ icon, heading, text }) => ({ icon, label: heading, note: text })) }))
        }
      />
    </Section>
  )
}
