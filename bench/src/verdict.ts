import type { ArrivalReport } from './event-messages.ts'

/** Whether every event of these runs was received, exactly once. */
export function verdict(reports: readonly Pick<ArrivalReport, 'lost' | 'doubled'>[]): {
  sentence: string
  isGood: boolean
} {
  const sum = (key: 'lost' | 'doubled') => reports.reduce((total, report) => total + report[key], 0)
  const [lost, doubled] = [sum('lost'), sum('doubled')]
  return {
    sentence: `In all runs together ${lost} lost, ${doubled} duplicated.`,
    isGood: reports.every((report) => report.lost === 0 && report.doubled === 0),
  }
}
