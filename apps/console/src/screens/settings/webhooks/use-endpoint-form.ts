import { useForm, type UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { valuesOf, type EndpointValues } from './endpoint-fields.tsx'
import type { Endpoint } from './webhooks-queries.ts'

export function useEndpointForm(endpoint?: Endpoint): UseFormReturnType<EndpointValues> {
  const { t } = useTranslation()
  return useForm({
    initialValues: valuesOf(endpoint),
    validate: {
      url: (url) => (URL.canParse(url.trim()) ? null : t('settings.webhooks.urlWrong')),
      types: (types, { scope }) => (scope === 'some' && types.length === 0 ? t('settings.webhooks.typesNone') : null),
    },
  })
}
