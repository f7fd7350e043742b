import type { ArrivalReport } from './event-messages.ts'

/** Whether every event of these runs was received, exactly once. */
export function verdict(reports: readonly Pick<ArrivalReport, 'lost' | 'duplicated'>[]): {
  sentence: string
  isGood: boolean
} {
  const sum = (key: 'lost' | 'duplicated') => reports.reduce((total, report) => total + report[key], 0)
  const [lost, duplicated] = [sum('lost'), sum('duplicated')]
  return {
    sentence: `In all runs together ${lost} lost, ${duplicated} duplicated.`,
    isGood: reports.every((report) => report.lost === 0 && report.duplicated === 0),
  }
}
