import type { FilledSection } from './read-sections.ts'

export interface SectionProps extends FilledSection {
  /** Whether it is seen without scrolling. */
  isFirst: boolean
}
