import { Button, FileButton, Group, TextInput } from '@mantine/core'
import { UploadIcon } from '@radix-ui/react-icons'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeFailure } from '../../parts/notices.ts'
import { PICTURE_TYPES, uploadPicture } from '../../parts/upload-picture.ts'
import type { InputProps } from './fields.ts'

/** The address of a picture, or a new one from a file. */
export function PictureSetting({ value, onChange, ...given }: InputProps<string>): ReactNode {
  const { t } = useTranslation()
  const upload = useMutation({
    mutationFn: uploadPicture,
    onSuccess: ({ path }) => onChange(path),
    onError: noticeFailure,
  })

  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        {...given}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
        flex={1}
        miw={160}
      />
      <FileButton accept={PICTURE_TYPES} onChange={(file) => file && upload.mutate(file)}>
        {(props) => (
          <Button leftSection={<UploadIcon />} loading={upload.isPending} disabled={given.disabled} {...props}>
            {t('storefront.upload')}
          </Button>
        )}
      </FileButton>
    </Group>
  )
}
