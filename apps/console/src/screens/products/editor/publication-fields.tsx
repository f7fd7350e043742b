import { Group, Input, SegmentedControl } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { localTime } from '../../../parts/local-time.ts'
import { useEditor } from './editor-context.ts'
import { PUBLICATIONS, type ProductForm, type Publication } from './product-form.ts'
import { TextField, useFieldOf } from './text-field.tsx'

/** Whether shoppers see the product: now, from a time on, or not; and until when. */
export function PublicationFields(): ReactNode {
  const { t } = useTranslation()
  const label = useId()
  const { form, change, canWrite } = useEditor()
  const fieldOf = useFieldOf()
  const { publication, publishAt, unpublishAt } = form
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const hasTimes = publication === 'later' || publishAt !== '' || unpublishAt !== ''
  return (
    <div>
      <Input.Label id={label} component="span">
        {t('products.field.published')}
      </Input.Label>
      <div>
        <SegmentedControl
          aria-labelledby={label}
          disabled={!canWrite}
          value={publication}
          onChange={(value) => change((now) => chosen(now, value))}
          data={PUBLICATIONS.map((each) => ({ value: each, label: t(`products.publication.${each}`) }))}
        />
      </div>
      {hasTimes && <Input.Description mt={4}>{t('products.publication.zone', { timeZone })}</Input.Description>}
      <Group align="flex-start" mt="xs">
        {(publication === 'later' || publishAt !== '') && <TextField {...fieldOf('publishAt')} type="datetime-local" />}
        <TextField {...fieldOf('unpublishAt')} type="datetime-local" />
      </Group>
    </div>
  )
}

/** Only “later” has a time: at first 9:00 tomorrow. The other choices clear it. */
function chosen({ publishAt }: ProductForm, value: string): Partial<ProductForm> {
  const publication: Publication = PUBLICATIONS.find((each) => each === value) ?? 'draft'
  if (publication !== 'later') return { publication, publishAt: '' }
  return { publication, publishAt: publishAt === '' ? tomorrowMorning() : publishAt }
}

function tomorrowMorning(): string {
  const day = new Date()
  day.setDate(day.getDate() + 1)
  return `${localTime(day.toISOString()).slice(0, 10)}T09:00`
}
