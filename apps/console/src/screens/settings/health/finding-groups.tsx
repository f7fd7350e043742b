import { Anchor, Button, List, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../session.ts'
import { Card } from '../../../parts/card.tsx'
import { customerAddress, orderAddress } from '../../../parts/record-links.ts'
import { KINDS, type Finding } from './health-queries.ts'
import { useCompare } from './use-compare.ts'

/** Findings by kind: what each kind means, and where. */
export function FindingGroups({ title, findings }: { title?: string; findings: readonly Finding[] }): ReactNode {
  return (
    <Stack>
      {title !== undefined && (
        <Title order={2} size="h4">
          {title}
        </Title>
      )}
      {[...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, group]) => (
        <FindingGroup key={kind} kind={kind} findings={group} />
      ))}
    </Stack>
  )
}

function FindingGroup({ kind, findings }: { kind: string; findings: readonly Finding[] }): ReactNode {
  const { t } = useTranslation()
  const known = KINDS.find((one) => one === kind)
  return (
    <Card
      title={known ? t(`settings.health.kinds.${known}.title`) : kind}
      {...(known && { text: t(`settings.health.kinds.${known}.text`) })}
      action={kind === 'webhook_stuck' && <RetryWebhooks />}
    >
      <List size="sm" mt="sm" spacing={6}>
        {findings.map((finding) => (
          <List.Item key={`${finding.subject} ${finding.message}`} className="wrap">
            <FindingText {...finding} />
          </List.Item>
        ))}
      </List>
    </Card>
  )
}

function FindingText({ subject, message }: Finding): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const page = pageOf({ subject, message }, can('customers:read'))
  return (
    <>
      <span lang="en">{message}</span>{' '}
      {page === undefined ? (
        <Text component="span" className="small dimmed">
          {subject}
        </Text>
      ) : (
        <Anchor underline="always" renderRoot={(props) => <Link {...props} {...page.link} />}>
          {t(`settings.health.open.${page.of}`)}
        </Anchor>
      )}
    </>
  )
}

interface PageOfFinding {
  of: 'order' | 'customer'
  link: { to: string; search?: Record<string, string> }
}

/** @returns the page of an order or a customer, or the list with the order that the message names */
function pageOf(
  { subject, message }: Pick<Finding, 'subject' | 'message'>,
  mayReadCustomers: boolean,
): PageOfFinding | undefined {
  if (subject.startsWith('order_')) return { of: 'order', link: { to: orderAddress(subject) } }
  if (subject.startsWith('cus_') && mayReadCustomers) return { of: 'customer', link: { to: customerAddress(subject) } }
  const number = /\border (\S*\d)/i.exec(message)?.[1]
  return number === undefined ? undefined : { of: 'order', link: { to: '/orders', search: { q: number } } }
}

function RetryWebhooks(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const compare = useCompare()
  if (!can('orders:write')) return null
  return (
    <Button loading={compare.isPending} onClick={() => compare.mutate({ retryWebhooks: true })}>
      {t('settings.health.retryWebhooks')}
    </Button>
  )
}
