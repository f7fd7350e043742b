import { Button, FileButton, Group, Text } from '@mantine/core'
import { UploadIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { useFileDrop } from '../../parts/use-file-drop.ts'
import classes from './file-drop.module.css'
import { ACCEPTED_FILES } from './import-types.ts'

/** Takes a file by drop or from the dialog of the browser. */
export function FileDrop({ onFile }: { onFile: (file: File) => void }): ReactNode {
  const { t } = useTranslation()
  const drop = useFileDrop(onFile)

  return (
    <Card title={t('import.title')} text={t('import.text')}>
      <div className={classes['drop']} {...drop}>
        <Group justify="center">
          <FileButton accept={ACCEPTED_FILES} onChange={(file) => file && onFile(file)}>
            {(props) => (
              <Button variant="filled" leftSection={<UploadIcon />} {...props}>
                {t('import.choose')}
              </Button>
            )}
          </FileButton>
          <Text c="dimmed" ta="center">
            {t('import.drop')}
          </Text>
        </Group>
      </div>
    </Card>
  )
}
