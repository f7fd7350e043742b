import type { DialogProps } from '../../../parts/use-dialog.tsx'
import type { Endpoint } from './webhooks-queries.ts'

export type EndpointAction = 'test' | 'change' | 'rotate' | 'delete'

export interface EndpointDialogProps extends DialogProps {
  endpoint: Endpoint
}
