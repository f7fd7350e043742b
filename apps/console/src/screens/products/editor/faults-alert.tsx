import { Alert, Anchor, List } from '@mantine/core'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import classes from './product-editor.module.css'
import { sectionId } from './section.tsx'
import { sectionOf } from './sections.ts'
import { isNamed, useFieldNames } from './use-field-names.ts'

const SHOWN = 8

/** Everything that keeps the product from being saved, also what no field shows. */
export function FaultsAlert(): ReactNode {
  const { t } = useTranslation()
  const { errors, setOpened } = useEditor()
  const namesOf = useFieldNames()
  const faults = Object.entries(errors)
  if (faults.length === 0) return null

  function nameOf(path: string): string {
    const [field = ''] = path.split('.')
    return isNamed(field) ? namesOf([field]) : t(`products.section.${sectionOf(path)}`)
  }

  function show(path: string): void {
    const name = sectionOf(path)
    flushSync(() => setOpened(name, true))
    const section = document.getElementById(sectionId(name))
    section?.scrollIntoView({ block: 'start' })
    const find = (selector: string) => section?.querySelector<HTMLElement>(selector)
    const field = find(`[data-path="${CSS.escape(path)}"]`) ?? find('[aria-invalid="true"]') ?? find('button')
    field?.focus()
  }

  return (
    <Alert color="red" title={t('products.faultsLeft', { count: faults.length })}>
      <List size="sm">
        {faults.slice(0, SHOWN).map(([path, message]) => (
          <List.Item key={path}>
            <Anchor
              component="button"
              type="button"
              ta="left"
              className={classes['fault']}
              c="var(--mantine-color-text)"
              underline="always"
              onClick={() => show(path)}
            >
              {nameOf(path)}: {message}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
