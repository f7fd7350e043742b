import { Badge, Flex, Group, NativeSelect, NavLink, Box, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { useFilters } from '../../../parts/filters.ts'
import { MailPreview } from './mail-preview.tsx'
import { MailsPage } from './mails-page.tsx'
import { templatesQuery, type Template } from './mails-queries.ts'
import { TestMail } from './test-mail.tsx'

/** What the mails of the shop say, with sample data. */
export function TemplatesScreen(): ReactNode {
  return (
    <MailsPage current="/settings/mails/templates">
      <Templates />
    </MailsPage>
  )
}

function Templates(): ReactNode {
  const { t } = useTranslation()
  const templates = useQuery(templatesQuery)
  const [filters, setFilters] = useFilters()
  if (!templates.data) return <LoadingState queries={[templates]} waiting={<Skeleton height={400} />} />
  const { items } = templates.data
  const chosen = items.find(({ event }) => event === filters['event']) ?? items[0]
  if (!chosen) return null
  return (
    <Flex gap="md" align="flex-start" direction={{ base: 'column', lg: 'row' }}>
      <NativeSelect
        hiddenFrom="lg"
        w="100%"
        label={t('settings.mails.kind')}
        value={chosen.event}
        onChange={(event) => setFilters({ event: event.currentTarget.value })}
        data={items.map(({ event: value }) => ({ value, label: t(`common.mails.kinds.${value}`) }))}
      />
      <Box visibleFrom="lg" w={240} flex="none">
        {items.map((template) => (
          <TemplateLink key={template.event} template={template} isChosen={template === chosen} />
        ))}
      </Box>
      <Box flex={1} miw={0} w="100%">
        <MailPreview key={chosen.event} template={chosen} action={<TestMail event={chosen.event} />} />
      </Box>
    </Flex>
  )
}

function TemplateLink({ template, isChosen }: { template: Template; isChosen: boolean }): ReactNode {
  const { t } = useTranslation()
  const { event, enabled, override } = template
  return (
    <NavLink
      renderRoot={(props) => <Link {...props} to="/settings/mails/templates" search={{ event }} />}
      active={isChosen}
      aria-current={isChosen ? 'true' : undefined}
      label={t(`common.mails.kinds.${event}`)}
      rightSection={
        <Group gap={4}>
          {override !== null && <Badge size="xs">{t('settings.mails.changed')}</Badge>}
          {!enabled && (
            <Badge color="gray" size="xs">
              {t('settings.mails.off')}
            </Badge>
          )}
        </Group>
      }
    />
  )
}
