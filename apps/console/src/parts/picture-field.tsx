import { Button, FileButton, Group, Input, Stack, Text, TextInput } from '@mantine/core'
import { useIsMutating, useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../shop.ts'
import { PictureChoices } from './picture-choices.tsx'
import { thumbnailOf } from './picture.tsx'
import classes from './picture-field.module.css'
import { PICTURE_TYPES, uploadPicture, type Media } from './upload-picture.ts'
import { useFileDrop } from './use-file-drop.ts'

/** A picture as the shop stores it. */
export interface PictureValue {
  url: string
  alt: string
}

const UPLOAD = ['picture-field']

/** Whether a picture is being uploaded: a form that is saved and closed meanwhile would lose it. */
export function useIsUploading(): boolean {
  return useIsMutating({ mutationKey: UPLOAD }) > 0
}

interface PictureFieldProps {
  label: string
  value: PictureValue | null
  onChange: (value: PictureValue | null) => void
  /** What is wrong with the text of the picture. */
  error?: ReactNode
}

/** A picture with its text: uploaded, dropped, or chosen from the library. */
export function PictureField({ label, value, onChange, error }: PictureFieldProps): ReactNode {
  const { t } = useTranslation()
  const [isChoosing, setChoosing] = useState(false)
  const take = ({ path, alt }: Pick<Media, 'path' | 'alt'>): void =>
    onChange({ url: path, alt: alt ?? value?.alt ?? '' })
  const upload = useMutation({ mutationKey: UPLOAD, mutationFn: uploadPicture, onSuccess: take })
  const drop = useFileDrop((file) => upload.mutate(file))

  return (
    <Input.Wrapper label={label} labelElement="div">
      <Group
        role="group"
        aria-label={label}
        className={classes['field']}
        gap="sm"
        align="flex-start"
        wrap="nowrap"
        {...drop}
      >
        {value === null ? (
          <span className={classes['picture']} />
        ) : (
          <img className={classes['picture']} src={thumbnailOf(value.url)} alt={value.alt} width={72} height={90} />
        )}
        <Stack gap="xs" flex={1} miw={0}>
          {value !== null && (
            <TextInput
              aria-label={t('common.picture.alt')}
              placeholder={t('common.picture.alt')}
              value={value.alt}
              onChange={(event) => onChange({ ...value, alt: event.currentTarget.value })}
              error={error}
              maxLength={500}
            />
          )}
          <PictureButtons
            isUploading={upload.isPending}
            isChoosing={isChoosing}
            onFile={upload.mutate}
            onChoose={() => setChoosing(!isChoosing)}
            onRemove={value === null ? undefined : () => onChange(null)}
          />
          {upload.error && (
            <Text c="var(--mantine-color-error)" role="alert">
              {messageOf(upload.error)}
            </Text>
          )}
        </Stack>
      </Group>
      {isChoosing && (
        <PictureChoices
          onChoose={(media) => {
            setChoosing(false)
            take(media)
          }}
        />
      )}
    </Input.Wrapper>
  )
}

interface PictureButtonsProps {
  isUploading: boolean
  isChoosing: boolean
  onFile: (file: File) => void
  onChoose: () => void
  /** Undefined while there is no picture. */
  onRemove: (() => void) | undefined
}

function PictureButtons({ isUploading, isChoosing, onFile, onChoose, onRemove }: PictureButtonsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Group gap="xs">
      <FileButton accept={PICTURE_TYPES} onChange={(file) => file && onFile(file)}>
        {(props) => (
          <Button size="xs" loading={isUploading} {...props}>
            {t('common.picture.upload')}
          </Button>
        )}
      </FileButton>
      <Button size="xs" aria-expanded={isChoosing} onClick={onChoose}>
        {t('common.picture.choose')}
      </Button>
      {onRemove && (
        <Button size="xs" variant="subtle" color="gray" onClick={onRemove}>
          {t('common.picture.remove')}
        </Button>
      )}
    </Group>
  )
}
