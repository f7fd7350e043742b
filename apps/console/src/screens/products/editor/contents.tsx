import { NavLink, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import { sectionId } from './section.tsx'
import { sectionOf, SECTIONS, type SectionName } from './sections.ts'
import classes from './product-editor.module.css'

/** The table of contents, on wide screens. */
export function Contents(): ReactNode {
  const { t } = useTranslation()
  const { errors, setOpened } = useEditor()
  const faulty = new Set(Object.keys(errors).map(sectionOf))

  function open(name: SectionName): void {
    setOpened(name, true)
    const section = document.querySelector(`#${sectionId(name)}`)
    section?.scrollIntoView({ block: 'start' })
    section?.querySelector('button')?.focus({ preventScroll: true })
  }

  return (
    <nav className={classes['contents']} aria-label={t('products.contents')}>
      {SECTIONS.map((name) => (
        <NavLink
          key={name}
          component="button"
          label={t(`products.section.${name}`)}
          onClick={() => open(name)}
          py={4}
          rightSection={
            faulty.has(name) && (
              <Text size="md" c="var(--mantine-color-error)">
                ●
              </Text>
            )
          }
        />
      ))}
    </nav>
  )
}
