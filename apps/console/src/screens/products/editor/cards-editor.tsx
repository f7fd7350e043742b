import { Button, Group, Input, Menu, Select, Stack, TextInput } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { listError } from './list-error.ts'
import { useVocabulary } from './use-vocabulary.ts'

/** A feature or an assurance: an icon with a heading and a text. */
export interface Card {
  icon: string
  heading: string
  text: string
}

interface CardsEditorProps {
  /** Of the list in a request. */
  path: string
  /** Of the heading of a card in a request. */
  headingField: 'title' | 'label'
  label: string
  description: string
  add: string
  cards: readonly Card[]
  suggestions: readonly Card[]
  onChange: (cards: Card[]) => void
}

/** A list of cards; those of the library are one click away. */
export function CardsEditor({
  path,
  headingField,
  label,
  description,
  add,
  cards,
  suggestions,
  onChange,
}: CardsEditorProps): ReactNode {
  const { t } = useTranslation()
  const { errors } = useEditor()
  const { icons } = useVocabulary()
  const used = new Set(cards.map(({ heading }) => heading))
  const offered = suggestions.filter(({ heading }) => !used.has(heading))
  const error = listError(errors, path, [headingField])
  return (
    <Input.Wrapper label={label} labelElement="div" description={description} error={error}>
      <Stack gap="xs" mt={4}>
        {cards.map((card, index) => (
          <CardRow
            key={index}
            card={card}
            number={index + 1}
            headingError={errors[`${path}.${index}.${headingField}`]}
            onChange={(next) => onChange(cards.with(index, next))}
            onRemove={() => onChange(cards.toSpliced(index, 1))}
          />
        ))}
        <Group gap="xs">
          <Button
            leftSection={<PlusIcon />}
            onClick={() => onChange([...cards, { icon: icons[0] ?? 'check', heading: '', text: '' }])}
          >
            {add}
          </Button>
          {offered.length > 0 && (
            <Menu>
              <Menu.Target>
                <Button variant="subtle">{t('products.promises.library')}</Button>
              </Menu.Target>
              <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
                {offered.map((card, index) => (
                  <Menu.Item key={index} onClick={() => onChange([...cards, card])}>
                    {card.heading}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}

interface CardRowProps {
  card: Card
  number: number
  headingError: string | undefined
  onChange: (card: Card) => void
  onRemove: () => void
}

function CardRow({ card, number, headingError, onChange, onRemove }: CardRowProps): ReactNode {
  const { t } = useTranslation()
  const { icons } = useVocabulary()
  const { icon, heading, text } = card
  return (
    <Group gap="xs" align="flex-start" wrap="wrap">
      <Select
        aria-label={t('products.promises.icon', { number })}
        data={icons.includes(icon) ? icons : [...icons, icon]}
        value={icon}
        onChange={(next) => onChange({ ...card, icon: next ?? icon })}
        allowDeselect={false}
        searchable
        w={130}
      />
      <TextInput
        aria-label={t('products.promises.heading', { number })}
        placeholder={t('products.promises.headingHint')}
        value={heading}
        error={headingError}
        onChange={(event) => onChange({ ...card, heading: event.currentTarget.value })}
        maxLength={200}
        flex={1}
        miw={140}
      />
      <TextInput
        aria-label={t('products.promises.text', { number })}
        placeholder={t('products.promises.textHint')}
        value={text}
        onChange={(event) => onChange({ ...card, text: event.currentTarget.value })}
        flex={2}
        miw={160}
      />
      <RemoveButton label={t('products.promises.remove', { number })} onClick={onRemove} size="lg" />
    </Group>
  )
}
