import type { Hand } from './hand.ts'

export const TASKS = [
  'Create a product with 12 variants and 4 pictures',
  'Find an order by part of a name and refund one line',
  'Put 50 products on sale',
  'Fix an import with three faults',
] as const
export type Task = (typeof TASKS)[number]

/** A task that is ready to be done. */
export interface ReadyTask {
  /** Signs in and does all that a person does in the browser. */
  work: (hand: Hand) => Promise<void>
  /** Waits until the API of the shop shows the effect. */
  confirm: () => Promise<void>
}

/** A dashboard in which the tasks are done. */
export interface Dashboard {
  name: string
  /** Of its sign-in page. */
  url: string
  /** Prepares what a task needs; a task that is missing cannot be done in this dashboard. */
  tasks: Partial<Record<Task, (round: number) => Promise<ReadyTask>>>
}

/** Three colors in four sizes. */
export const COLORS = ['Black', 'White', 'Green']
export const SIZES = ['S', 'M', 'L', 'XL']
export const VARIANTS = COLORS.length * SIZES.length
export const ON_SALE = 50
