import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyAction } from '../../../parts/copy-text.tsx'

const FILE = 'recovery-codes.txt'

/** The codes for a person who lost the device. The shop does not show them again. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const text = `${codes.join('\n')}\n`
  return (
    <Stack>
      <Text size="sm">{t('settings.factor.codesText')}</Text>
      <Code block fz="sm" ta="center">
        {text}
      </Code>
      <Group justify="space-between">
        <Group gap="xs">
          <CopyAction value={text} />
          <Button variant="default" leftSection={<DownloadIcon />} onClick={() => saveText(text)}>
            {t('settings.download')}
          </Button>
        </Group>
        <Button onClick={onClose} autoFocus>
          {t('settings.once.stored')}
        </Button>
      </Group>
    </Stack>
  )
}

function saveText(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = FILE
  link.click()
  // Later, because the browser has only begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
