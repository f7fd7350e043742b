import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyAction } from '../../../parts/copy-text.tsx'
import { saveFile } from '../../../parts/download.ts'

const FILE = 'recovery-codes.txt'

/** The codes for a person who lost the device. The shop does not show them again. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const text = `${codes.join('\n')}\n`
  return (
    <Stack>
      <Text>{t('settings.factor.codesText')}</Text>
      <Code block fz="sm" ta="center">
        {text}
      </Code>
      <Group justify="space-between">
        <Group gap="xs">
          <CopyAction value={text} />
          <Button
            leftSection={<DownloadIcon />}
            onClick={() => saveFile(FILE, new Blob([text], { type: 'text/plain' }))}
          >
            {t('settings.download')}
          </Button>
        </Group>
        <Button variant="filled" onClick={onClose} autoFocus>
          {t('settings.secret.stored')}
        </Button>
      </Group>
    </Stack>
  )
}
