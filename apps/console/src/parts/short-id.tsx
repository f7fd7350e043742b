import { ActionIcon, Code, Group, Tooltip } from '@mantine/core'
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Copying } from './copying.tsx'

/** The end of an id, which is the part that differs, with a button that copies all of it. */
export function ShortId({ id }: { id: string }): ReactNode {
  const { t } = useTranslation()
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <Tooltip label={id}>
        <Code>…{id.slice(-6)}</Code>
      </Tooltip>
      <Copying value={id}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="xs"
            onClick={copy}
            aria-label={t(copied ? 'common.copied' : 'common.copyId')}
          >
            {copied ? <CheckIcon /> : <CopyIcon />}
          </ActionIcon>
        )}
      </Copying>
    </Group>
  )
}
