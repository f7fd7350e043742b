import { Button, Group, TextInput } from '@mantine/core'
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Copying } from './copying.tsx'

/** A text to be taken elsewhere, with a button that copies it. */
export function CopyText({ label, value }: { label: string; value: string }): ReactNode {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        label={label}
        value={value}
        readOnly
        flex={1}
        ff="monospace"
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyAction value={value} />
    </Group>
  )
}

export function CopyAction({ value, isSmall = false }: { value: string; isSmall?: boolean }): ReactNode {
  const { t } = useTranslation()
  return (
    <Copying value={value}>
      {({ copied, copy }) => (
        <Button size={isSmall ? 'compact-xs' : 'sm'} onClick={copy} leftSection={copied ? <CheckIcon /> : <CopyIcon />}>
          {t(copied ? 'common.copied' : 'common.copy')}
        </Button>
      )}
    </Copying>
  )
}
