import { Badge, Group, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { ChevronDownIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import { sectionOf, type SectionName } from './sections.ts'
import classes from '../../../parts/section.module.css'

/** Where the table of contents leads. */
export function sectionId(name: SectionName): string {
  return `section-${name}`
}

/** A part of the editor that can be closed. */
export function Section({ name, children }: { name: SectionName; children: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const { opened, setOpened, errors, canWrite } = useEditor()
  const isOpen = opened.has(name)
  const faults = Object.keys(errors).filter((path) => sectionOf(path) === name).length
  const title = t(`products.section.${name}`)
  return (
    <Paper withBorder component="section" id={sectionId(name)} className={classes['section']}>
      <Title order={2} size="h5">
        <UnstyledButton className={classes['heading']} aria-expanded={isOpen} onClick={() => setOpened(name, !isOpen)}>
          <Group gap="xs" wrap="nowrap">
            {isOpen ? <ChevronDownIcon aria-hidden /> : <ChevronRightIcon aria-hidden />}
            {title}
            {!isOpen && (
              <Text c="dimmed" span fw={400} className="ellipsis">
                {t(`products.sectionHint.${name}`)}
              </Text>
            )}
            {faults > 0 && (
              <Badge variant="filled" color="red.9">
                {t('products.faults', { count: faults })}
              </Badge>
            )}
          </Group>
        </UnstyledButton>
      </Title>
      {isOpen && (
        <fieldset className={classes['fields']} disabled={!canWrite}>
          <Stack gap="sm">{children}</Stack>
        </fieldset>
      )}
    </Paper>
  )
}
