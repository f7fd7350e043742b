import { Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { EyeOpenIcon } from '@radix-ui/react-icons'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SideDrawer } from '../../../../parts/side-drawer.tsx'
import { useEditor } from '../editor-context.ts'
import { PreviewCard } from './preview-card.tsx'
import { previewFacts } from './preview-facts.ts'
import { PreviewPage } from './preview-page.tsx'

/** A button that shows the product as shoppers would see it, with what is not saved yet. */
export function ProductPreview(): ReactNode {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button leftSection={<EyeOpenIcon />} onClick={() => setOpened(true)}>
        {t('products.preview.open')}
      </Button>
      <SideDrawer opened={opened} onClose={() => setOpened(false)} title={t('products.preview.title')}>
        <Preview />
      </SideDrawer>
    </>
  )
}

function Preview(): ReactNode {
  const { t } = useTranslation()
  const { form, currency } = useEditor()
  const [shows, setShows] = useState('page')
  const shown = { form, facts: previewFacts(form, currency), currency }
  return (
    <Stack>
      <SegmentedControl
        aria-label={t('products.preview.title')}
        value={shows}
        onChange={setShows}
        data={[
          { value: 'page', label: t('products.preview.page') },
          { value: 'card', label: t('products.preview.card') },
        ]}
      />
      {shows === 'card' ? <PreviewCard {...shown} /> : <PreviewPage {...shown} />}
      <Text className="small dimmed">{t('products.preview.hint')}</Text>
    </Stack>
  )
}
