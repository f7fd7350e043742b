import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../shop.ts'
import { FocalPointPicture } from './focal-point-picture.tsx'
import classes from './focal-point.module.css'
import type { MediaWithUses } from './media-queries.ts'
import { MIDDLE, positionOf, saveFocalPoint, type FocalPoint } from './save-focal-point.ts'

interface FocalPointFormProps {
  media: Pick<MediaWithUses, 'id' | 'path' | 'width' | 'height' | 'focalPoint' | 'alt'>
  /** Where the console finds the picture. */
  src: string
  canWrite: boolean
  onSaved?: () => void
}

/** What of a picture stays visible where it is cropped: chosen on the picture, or with the arrow keys in the fields. */
export function FocalPointForm({ media, src, canWrite, onSaved }: FocalPointFormProps): ReactNode {
  const { t } = useTranslation()
  const stored = media.focalPoint ?? MIDDLE
  const [chosen, setChosen] = useState<FocalPoint>()
  const point = chosen ?? stored
  const save = useMutation({
    mutationFn: () => saveFocalPoint(media, point),
    onSuccess: () => {
      setChosen(undefined)
      onSaved?.()
    },
  })
  const isChanged = point.x !== stored.x || point.y !== stored.y
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // Over the product editor it would save the product, too.
        event.stopPropagation()
        if (isChanged) save.mutate()
      }}
    >
      <Stack gap="xs">
        <FocalPointPicture
          src={src}
          alt={media.alt ?? ''}
          width={media.width}
          height={media.height}
          point={point}
          onPoint={canWrite ? setChosen : undefined}
        />
        {canWrite && (
          <>
            <Text c="dimmed">{t('common.focalPoint.hint')}</Text>
            <Group gap="sm" wrap="nowrap" align="flex-end" role="group" aria-label={t('common.focalPoint.title')}>
              <img className={classes['crop']} src={src} alt="" style={{ objectPosition: positionOf(point) }} />
              <Stack gap="xs" flex={1} miw={0}>
                <PercentFields point={point} onPoint={setChosen} />
                <Group gap="xs">
                  <Button variant="filled" type="submit" size="xs" loading={save.isPending} disabled={!isChanged}>
                    {t('common.focalPoint.save')}
                  </Button>
                  <Button size="xs" onClick={() => setChosen(MIDDLE)}>
                    {t('common.focalPoint.center')}
                  </Button>
                </Group>
              </Stack>
            </Group>
          </>
        )}
        {save.error && (
          <Text c="var(--mantine-color-error)" role="alert">
            {messageOf(save.error)}
          </Text>
        )}
      </Stack>
    </form>
  )
}

interface PercentFieldsProps {
  point: FocalPoint
  onPoint: (point: FocalPoint) => void
}

function PercentFields({ point, onPoint }: PercentFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Group gap="xs" wrap="nowrap">
      {(['x', 'y'] as const).map((name) => (
        <NumberInput
          key={name}
          label={t(`common.focalPoint.${name}`)}
          size="xs"
          flex={1}
          min={0}
          max={100}
          clampBehavior="strict"
          allowDecimal={false}
          value={Math.round(point[name] * 100)}
          onChange={(value) => typeof value === 'number' && onPoint({ ...point, [name]: value / 100 })}
        />
      ))}
    </Group>
  )
}
