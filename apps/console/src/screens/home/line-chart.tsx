import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import uPlot from 'uplot'
import { ofLanguage } from '../../parts/formats.ts'
import classes from './line-chart.module.css'

const HEIGHT = 280
const SIDE_WIDTH = 80
/** Copied from the theme, because a canvas cannot use CSS variables. */
const COLORS = {
  light: { text: '#495057', grid: '#e9ecef', now: '#4263eb', area: '#4263eb1f', before: '#868e96' },
  dark: { text: '#c9c9c9', grid: '#3b3b3b', now: '#748ffc', area: '#748ffc24', before: '#a6a7ab' },
}

interface LineChartProps {
  label: string
  /** Days as YYYY-MM-DD, and the values of each. */
  days: readonly string[]
  now: { label: string; values: readonly number[] }
  before: { label: string; values: readonly number[] }
  format: (value: number) => string
}

/** Two lines over days; what the pointer is on stands below. */
export function LineChart({ label, days, now, before, format }: LineChartProps): ReactNode {
  const { t } = useTranslation()
  const ref = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme()

  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const sizeOf = () => ({ width: element.clientWidth, height: HEIGHT })
    const data: uPlot.AlignedData = [days.map(secondsOf), [...now.values], [...before.values]]
    const chart = new uPlot({ ...sizeOf(), ...optionsOf(scheme), ...lines() }, data, element)
    const resizes = new ResizeObserver(() => chart.setSize(sizeOf()))
    resizes.observe(element)
    return () => {
      resizes.disconnect()
      chart.destroy()
    }

    function lines(): Pick<uPlot.Options, 'series' | 'axes'> {
      const { text, grid, now: line, area, before: old } = COLORS[scheme]
      const value = (_chart: uPlot, raw: number | null): string => (raw === null ? '–' : format(raw))
      const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { show: false } }
      return {
        series: [
          { label: t('home.day'), value: (_chart, raw) => (raw === null ? '–' : shortDate(raw)) },
          { label: now.label, stroke: line, fill: area, width: 2, points: { show: days.length === 1 }, value },
          { label: before.label, stroke: old, width: 1.5, dash: [5, 4], points: { show: days.length === 1 }, value },
        ],
        axes: [
          { ...axis, grid: { show: false }, values: (_chart, splits) => splits.map(shortDate), incrs: DAY_STEPS },
          { ...axis, size: SIDE_WIDTH, incrs: WHOLE_STEPS, values: (_chart, splits) => splits.map(format) },
        ],
      }
    }
  }, [t, scheme, days, now, before, format])

  return (
    <>
      <div ref={ref} role="img" aria-label={label} className={classes['chart']} />
      <ReadAloud {...{ label, days, now, before, format }} />
    </>
  )
}

const { root: hidden = '' } = VisuallyHidden.classes

/** The same as a table, because a screen reader cannot read the drawing. */
function ReadAloud({ label, days, now, before, format }: LineChartProps): ReactNode {
  const { t } = useTranslation()
  return (
    <div className={hidden}>
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            {[t('home.day'), now.label, before.label].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{shortDate(secondsOf(day))}</th>
              <td>{format(now.values[index] ?? 0)}</td>
              <td>{format(before.values[index] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** No tick may stand between two days. */
const DAY_STEPS = [1, 2, 7, 14, 28, 56, 91].map((days) => days * 86_400)

/** Orders and cents come in whole numbers. */
const WHOLE_STEPS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9].flatMap((step) => [step, 2 * step, 5 * step])

function optionsOf(scheme: keyof typeof COLORS): Pick<uPlot.Options, 'tzDate' | 'cursor' | 'scales' | 'legend'> {
  return {
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    cursor: { drag: { x: false, y: false }, points: { fill: COLORS[scheme].now } },
    scales: { y: { range: (_chart, _min, max) => [0, max === 0 ? 100 : max * 1.05] } },
    legend: { live: true },
  }
}

const secondsOf = (day: string): number => Date.parse(day) / 1000

const shortDates = ofLanguage(
  (language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
)
const shortDate = (seconds: number): string => shortDates().format(seconds * 1000)
