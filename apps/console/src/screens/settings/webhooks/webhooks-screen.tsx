import type { ReactNode } from 'react'
import { AddEndpoint } from './add-endpoint.tsx'
import { EndpointTable } from './endpoint-table.tsx'
import { WebhooksPage } from './webhooks-page.tsx'

/** Which addresses get the events of the shop. */
export function WebhooksScreen(): ReactNode {
  return (
    <WebhooksPage current="/settings/webhooks" actions={<AddEndpoint />}>
      <EndpointTable />
    </WebhooksPage>
  )
}
