import { Button, Group, Popover, TextInput } from '@mantine/core'
import { ArrowLeftIcon, ArrowRightIcon, TrashIcon } from '@radix-ui/react-icons'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../parts/icon-button.tsx'

interface OptionValueProps {
  value: string
  /** All values of the option, with this one. */
  others: readonly string[]
  isFirst: boolean
  isLast: boolean
  onRename: (renamed: string) => void
  onMove: (by: number) => void
  onRemove: () => void
}

/** A value as a chip, which opens to be renamed, moved or removed. */
export function OptionValue(props: OptionValueProps): ReactNode {
  const { value, others, onRename } = props
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState(value)
  const [isTaken, setTaken] = useState(false)

  function type(typed: string): void {
    setText(typed)
    setTaken(false)
  }

  function rename(): void {
    const renamed = text.trim()
    const isOther = renamed !== value && others.includes(renamed)
    setTaken(isOther)
    if (isOther) return
    setOpen(false)
    if (renamed !== '' && renamed !== value) onRename(renamed)
  }

  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withArrow shadow="md" returnFocus>
      <Popover.Target>
        <Button
          size="xs"
          onClick={() => {
            type(value)
            setOpen(!isOpen)
          }}
        >
          {value}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <TextInput
          label={t('products.options.valueName')}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && rename()}
          error={isTaken && t('products.options.valueTwice')}
          maxLength={100}
          size="xs"
          data-autofocus
        />
        <Group gap={0} mt="xs" justify="space-between">
          <ValueButtons {...props} />
          <Button variant="filled" size="xs" onClick={rename} disabled={text.trim() === ''}>
            {t('products.options.rename')}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

function ValueButtons({ value, isFirst, isLast, onMove, onRemove }: OptionValueProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Group gap={0}>
      <IconButton
        icon={ArrowLeftIcon}
        label={t('products.options.earlier', { value })}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <IconButton
        icon={ArrowRightIcon}
        label={t('products.options.later', { value })}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
      <IconButton icon={TrashIcon} label={t('products.options.removeValue', { value })} onClick={onRemove} />
    </Group>
  )
}
