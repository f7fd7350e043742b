import { Alert, Anchor, List } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlaceOf } from './use-words-of.ts'

/** What a save has found wrong: also in parts that have no form here. */
export function FaultList({ faults }: { faults: Readonly<Record<string, string>> }): ReactNode {
  const { t } = useTranslation()
  const entries = Object.entries(faults)
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => alert.current?.focus(), [faults])
  if (entries.length === 0) return null
  return (
    <Alert ref={alert} tabIndex={-1} color="red" title={t('storefront.notSaved', { count: entries.length })}>
      <List size="sm">
        {entries.map(([path, message]) => (
          <List.Item key={path} className="wrap">
            {path === '' ? message : <FaultLink path={path} message={message} />}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** Leads to the field, if it has a form here. */
function FaultLink({ path, message }: { path: string; message: string }): ReactNode {
  const placeOf = usePlaceOf()
  return (
    <Anchor
      component="button"
      type="button"
      ta="left"
      c="var(--mantine-color-text)"
      underline="always"
      onClick={() => fieldOf(path)?.focus()}
    >
      {placeOf(path)}: {message}
    </Anchor>
  )
}

function fieldOf(path: string): HTMLElement | undefined {
  const fields = document.querySelectorAll<HTMLElement>('[data-path]')
  return Array.from(fields).find(({ dataset }) => path === dataset['path'] || path.startsWith(`${dataset['path']}.`))
}
