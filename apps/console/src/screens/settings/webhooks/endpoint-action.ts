import type { Endpoint } from './webhooks-queries.ts'

/** The actions that have a dialog. */
export type EndpointAction = 'test' | 'change' | 'rotate' | 'delete'

export interface EndpointDialogProps {
  endpoint: Endpoint
  opened: boolean
  onClose: () => void
}
