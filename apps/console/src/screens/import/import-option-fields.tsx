import { Checkbox, Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CSV_TYPE, type ImportOptions, type ImportType } from './import-types.ts'

interface ImportOptionFieldsProps {
  type: ImportType
  options: ImportOptions
  isDisabled: boolean
  onChange: (options: ImportOptions) => void
}

/** How the shop takes a file. */
export function ImportOptionFields({ type, options, isDisabled, onChange }: ImportOptionFieldsProps): ReactNode {
  const { t } = useTranslation()
  if (type === CSV_TYPE) {
    return (
      <Checkbox
        mt="sm"
        label={t('import.keepLinks')}
        description={t('import.keepLinksHelp')}
        checked={options.keepsLinks}
        disabled={isDisabled}
        onChange={(event) => onChange({ ...options, keepsLinks: event.currentTarget.checked })}
      />
    )
  }
  return (
    <Radio.Group
      mt="sm"
      label={t('import.mode')}
      value={options.mode}
      onChange={(mode) => onChange({ ...options, mode: mode === 'replace' ? mode : 'merge' })}
    >
      <Stack gap="xs" mt={4}>
        {(['merge', 'replace'] as const).map((mode) => (
          <Radio
            key={mode}
            value={mode}
            label={t(`import.modes.${mode}`)}
            description={t(`import.modeText.${mode}`)}
            disabled={isDisabled}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
