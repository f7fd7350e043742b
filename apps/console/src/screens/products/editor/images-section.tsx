import { Box, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { UploadIcon } from '@radix-ui/react-icons'
import { useRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { moveByButton } from '../../../parts/move-by-button.ts'
import { PICTURE_TYPES } from '../../../parts/upload-picture.ts'
import { movedTo, useDragOrder } from '../../../parts/use-drag-order.ts'
import { useEditor } from './editor-context.ts'
import { ImageTile, tileId } from './image-tile.tsx'
import classes from './images-section.module.css'
import { Section } from './section.tsx'
import { useImageDrop } from './use-image-drop.ts'
import { useUploads } from './use-uploads.ts'

/** Pictures: dropped, chosen or pasted; their order, texts and colors. */
export function ImagesSection(): ReactNode {
  const { form, change, canWrite } = useEditor()
  const upload = useUploads(change)
  const box = useRef<HTMLDivElement>(null)

  function take(files: FileList | readonly File[]): void {
    const pictures = Array.from(files).filter(({ type }) => type.startsWith('image/'))
    if (pictures.length > 0) void upload(pictures)
  }

  const focusText = (index: number): void =>
    box.current?.querySelectorAll<HTMLElement>('[data-picture-text]')[index]?.focus()

  /** The shop needs a text for each picture, so the person goes on typing there. */
  function choose(files: readonly File[]): void {
    flushSync(() => take(files))
    focusText(form.images.length)
  }

  const move = (id: string, to: number): void =>
    change(({ images }) => {
      const from = images.findIndex((image) => image.id === id)
      return { images: from === -1 ? images : movedTo(images, from, to) }
    })
  const drag = useDragOrder(
    form.images.map(({ id }) => id),
    move,
  )
  const drop = useImageDrop(canWrite, take)

  return (
    <Section name="images">
      <Box ref={box} className={classes['drop']} {...drop}>
        <Stack gap="xs">
          {form.images.map((image, index) => (
            <ImageTile
              key={image.id}
              image={image}
              index={index}
              count={form.images.length}
              onNext={() => focusText(index + 1)}
              onMove={(to) =>
                moveByButton(tileId(image.id), to < index ? 'earlier' : 'later', () => move(image.id, to))
              }
              drag={drag}
            />
          ))}
          <ChooseImages onChoose={choose} />
        </Stack>
      </Box>
    </Section>
  )
}

function ChooseImages({ onChoose }: { onChoose: (files: readonly File[]) => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <Group justify="center" py="xs">
      <FileButton multiple accept={PICTURE_TYPES} onChange={onChoose}>
        {(props) => (
          <Button leftSection={<UploadIcon />} {...props}>
            {t('products.images.choose')}
          </Button>
        )}
      </FileButton>
      <Text c="dimmed">{t('products.images.drop')}</Text>
    </Group>
  )
}
