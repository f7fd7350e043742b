import { Badge, Group, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedMedia } from '../../parts/media-queries.ts'
import classes from './media.module.css'

/** The address of a picture on the server that the console comes from. */
export function addressOf(url: string): string {
  return new URL(url, location.origin).pathname
}

/** A picture of the grid, which opens its details. */
export function MediaTile({ media, onOpen }: { media: ListedMedia; onOpen: () => void }): ReactNode {
  const { t } = useTranslation()
  const { id, name, alt, sizes, url, width, height, useCount } = media
  return (
    <li data-id={id}>
      <UnstyledButton className={classes['tile']} onClick={onOpen}>
        <img
          className={classes['picture']}
          src={addressOf(sizes[0]?.url ?? url)}
          alt={alt ?? ''}
          width={width}
          height={height}
          loading="lazy"
          // Browsers would offer it as a file to be uploaded.
          draggable={false}
        />
        <Text mt={4} className="ellipsis" title={name}>
          {name}
        </Text>
        <Group gap={4}>
          <Badge size="sm" color={useCount > 0 ? 'teal' : 'gray'}>
            {useCount > 0 ? t('media.useCount', { count: useCount }) : t('media.unusedOne')}
          </Badge>
          {alt === undefined && (
            <Badge size="sm" color="yellow">
              {t('media.noText')}
            </Badge>
          )}
        </Group>
      </UnstyledButton>
    </li>
  )
}
