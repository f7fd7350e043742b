import { Button, FileButton, Group, Text } from '@mantine/core'
import { UploadIcon } from '@radix-ui/react-icons'
import { useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import classes from './file-drop.module.css'
import { ACCEPTED_FILES } from './import-types.ts'

/** Takes a file by drop or from the dialog of the browser. */
export function FileDrop({ onFile }: { onFile: (file: File) => void }): ReactNode {
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    const [file] = Array.from(event.dataTransfer.files)
    if (file) onFile(file)
  }

  return (
    <Card title={t('import.title')} text={t('import.text')}>
      <div
        className={classes['drop']}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Group justify="center">
          <FileButton accept={ACCEPTED_FILES} onChange={(file) => file && onFile(file)}>
            {(props) => (
              <Button leftSection={<UploadIcon />} {...props}>
                {t('import.choose')}
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed" ta="center">
            {t('import.drop')}
          </Text>
        </Group>
      </div>
    </Card>
  )
}
