/** The key of each type of event in the messages: such a key may not contain a dot. */
export const EVENT_NAMES = {
  'product.updated': 'productUpdated',
  'product.deleted': 'productDeleted',
  'inventory.updated': 'inventoryUpdated',
  'category.updated': 'categoryUpdated',
  'settings.updated': 'settingsUpdated',
  'order.paid': 'orderPaid',
  'order.fulfilled': 'orderFulfilled',
} as const

export type EventType = keyof typeof EVENT_NAMES

export function isEventType(text: string): text is EventType {
  return text in EVENT_NAMES
}

export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENT_NAMES).filter(isEventType)
