import { Alert, List } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** What a save has found wrong: also in parts that have no form here. */
export function FaultList({ faults }: { faults: Readonly<Record<string, string>> }): ReactNode {
  const { t } = useTranslation()
  const entries = Object.entries(faults)
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => alert.current?.focus(), [faults])
  if (entries.length === 0) return null
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      color="red"
      role="alert"
      title={t('storefront.notSaved', { count: entries.length })}
    >
      <List size="sm">
        {entries.map(([path, message]) => (
          <List.Item key={path} className="wrap">
            {path === '' ? message : `${path}: ${message}`}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
