import { Button, Skeleton, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/empty-state.tsx'
import { ErrorState } from '../parts/error-state.tsx'

export function NotFound(): ReactNode {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('shell.notFound')}
      text={t('shell.notFoundText')}
      action={
        <Button component={Link} to="/">
          {t('screens.home')}
        </Button>
      }
    />
  )
}

export function NotAllowed(): ReactNode {
  const { t } = useTranslation()
  return <EmptyState title={t('shell.notAllowed')} text={t('shell.notAllowedText')} />
}

export function ScreenFailed({ error, reset }: { error: unknown; reset: () => void }): ReactNode {
  return <ErrorState error={error} onRetry={reset} />
}

export function ScreenWaiting(): ReactNode {
  return (
    <Stack>
      <Skeleton height={32} width={240} />
      <Skeleton height={200} />
    </Stack>
  )
}
