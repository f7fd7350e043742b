import { Group, Loader, Select, Stack, Text } from '@mantine/core'
import { TargetIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DragHandle } from '../../../parts/drag-handle.tsx'
import { FocalPointDialog } from '../../../parts/focal-point-dialog.tsx'
import { mediaIdIn } from '../../../parts/media-id.ts'
import { MoveButtons } from '../../../parts/move-buttons.tsx'
import { useThumbnail } from '../../../parts/picture.tsx'
import { useDialog } from '../../../parts/use-dialog.tsx'
import type { Drag } from '../../../parts/use-drag.ts'
import { colorsOf } from './color-option.ts'
import { useEditor } from './editor-context.ts'
import { IconButton } from '../../../parts/icon-button.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import classes from './images-section.module.css'
import type { ImageRow } from './product-form.ts'
import { TextField } from './text-field.tsx'

interface ImageTileProps {
  image: ImageRow
  index: number
  count: number
  /** Enter in its text was pressed. */
  onNext: () => void
  onMove: (to: number) => void
  drag: Drag
}

/** Ids of pictures may begin with a digit, which ids of elements should not. */
export function tileId(id: string): string {
  return `picture-${id}`
}

/** One picture with its text, color and place. */
export function ImageTile({ image, index, count, onNext, onMove, drag }: ImageTileProps): ReactNode {
  const { t } = useTranslation()
  const { form, change, errors, canWrite } = useEditor()
  const { id, alt, upload } = image
  const update = (fields: Partial<ImageRow>): void =>
    change(({ images }) => ({ images: images.map((each) => (each.id === id ? { ...each, ...fields } : each)) }))
  const number = index + 1
  const thumbnail = useThumbnail(image.url)
  const colors = [...new Set([...colorsOf(form), ...(image.color === '' ? [] : [image.color])])]
  return (
    <div id={tileId(id)} className={classes['tile']} {...drag.itemProps(id)}>
      <Group gap={4} wrap="nowrap">
        {canWrite && <DragHandle drag={drag} of={id} title={t('products.images.number', { number })} />}
        {/* A mouse may drag the picture itself; a finger on it scrolls. Browsers would offer it as a file to drop here. */}
        <img
          className={classes['picture']}
          data-waiting={upload !== undefined}
          src={upload?.preview ?? thumbnail}
          alt={alt}
          width={72}
          height={90}
          draggable={false}
          {...(canWrite && drag.handleProps(id))}
        />
      </Group>
      <Stack gap={4}>
        <TextField
          path={`images.${index}.alt`}
          label={t('products.images.alt', { number })}
          placeholder={t('products.images.altHint')}
          value={alt}
          onChange={(next) => update({ alt: next })}
          onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && onNext()}
          data-picture-text
          maxLength={500}
        />
        {colors.length > 0 && (
          <Select
            aria-label={t('products.images.color', { number })}
            placeholder={t('products.images.noColor')}
            data={colors}
            value={image.color === '' ? null : image.color}
            onChange={(color) => update({ color: color ?? '' })}
            error={errors[`images.${index}.color`]}
            clearable
            size="xs"
            maw={220}
          />
        )}
        {upload && <UploadState {...upload} />}
      </Stack>
      <TileButtons image={image} index={index} count={count} onMove={onMove} />
    </div>
  )
}

type TileButtonsProps = Pick<ImageTileProps, 'image' | 'index' | 'count' | 'onMove'>

function TileButtons({ image: { id, url }, index, count, onMove }: TileButtonsProps): ReactNode {
  const { t } = useTranslation()
  const { change } = useEditor()
  const number = index + 1
  return (
    <Group gap={0} wrap="nowrap" className={classes['buttons']}>
      <FocalPointButton url={url} label={t('products.images.focalPoint', { number })} />
      <MoveButtons
        index={index}
        count={count}
        earlier={t('products.images.earlier', { number })}
        later={t('products.images.later', { number })}
        onMove={onMove}
      />
      <RemoveButton
        label={t('products.images.remove', { number })}
        onClick={() => change(({ images }) => ({ images: images.filter((each) => each.id !== id) }))}
      />
    </Group>
  )
}

/** Only uploads have a focal point. */
function FocalPointButton({ url, label }: { url: string; label: string }): ReactNode {
  const { canWrite } = useEditor()
  const dialog = useDialog<string>()
  const id = mediaIdIn(url)
  if (id === undefined || !canWrite) return null
  return (
    <>
      <IconButton icon={TargetIcon} label={label} onClick={() => dialog.open(id)} />
      {dialog.render((props, mediaId) => (
        <FocalPointDialog {...props} mediaId={mediaId} />
      ))}
    </>
  )
}

function UploadState({ name, failure }: { name: string; failure?: string }): ReactNode {
  const { t } = useTranslation()
  if (failure !== undefined) {
    return (
      <Text c="var(--mantine-color-error)" role="alert">
        {t('products.images.failed', { name, failure })}
      </Text>
    )
  }
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" />
      <Text>{t('products.images.uploading', { name })}</Text>
    </Group>
  )
}
