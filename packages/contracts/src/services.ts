export const SERVICE_NAMES = ['gateway', 'catalog', 'cart', 'orders', 'identity', 'notifier'] as const
export type ServiceName = (typeof SERVICE_NAMES)[number]
