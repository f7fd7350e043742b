import { Button, FileButton, Group, TextInput } from '@mantine/core'
import { UploadIcon } from '@radix-ui/react-icons'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeFailure } from '../../parts/notices.ts'
import { shop } from '../../shop.ts'
import { PICTURE_TYPES } from '../products/editor/use-uploads.ts'

interface PictureSettingProps {
  label: string
  error: string | undefined
  disabled: boolean
  'data-path': string
  value: string
  onChange: (value: unknown) => void
}

const TIMEOUT_MS = 120_000

/** The address of a picture, or a new one from a file. */
export function PictureSetting({ value, onChange, ...given }: PictureSettingProps): ReactNode {
  const { t } = useTranslation()
  const [isUploading, setUploading] = useState(false)

  async function upload(file: File): Promise<void> {
    setUploading(true)
    const form = new FormData()
    form.append('file', file, file.name)
    try {
      const body = { file: [] }
      const { items } = await shop.post('/admin/media', { body, bodySerializer: () => form, timeoutMs: TIMEOUT_MS })
      if (items[0]) onChange(items[0].path)
    } catch (error) {
      noticeFailure(error)
    }
    setUploading(false)
  }

  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        {...given}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
        flex={1}
        miw={160}
      />
      <FileButton accept={PICTURE_TYPES} onChange={(file) => file && void upload(file)}>
        {(props) => (
          <Button
            variant="default"
            leftSection={<UploadIcon />}
            loading={isUploading}
            disabled={given.disabled}
            {...props}
          >
            {t('storefront.upload')}
          </Button>
        )}
      </FileButton>
    </Group>
  )
}
