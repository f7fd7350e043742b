import { useLanguage } from '../../layout/page-context.ts'
import type { SizeChart } from '../../shop/catalog.ts'

const UNITS = ['cm', 'in'] as const
type Unit = (typeof UNITS)[number]
const CM_PER_INCH = 2.54

/** Every size chart of the shop. @param props.unit as the address says, or that of the charts */
export function SizeGuide({ charts, unit }: { charts: readonly SizeChart[]; unit: string | null }) {
  const { t } = useLanguage()
  const own = charts[0]?.unit === 'in' ? 'in' : 'cm'
  const shown = UNITS.find((one) => one === unit) ?? own
  if (charts.length === 0) return <p>{t('information.noCharts')}</p>
  return (
    <>
      <p>{t('information.sizeText')}</p>
      <div id="charts">
        <nav class="chips" aria-label={t('information.unit')}>
          {UNITS.map((one) => (
            <a
              class="chip"
              href={`?unit=${one}`}
              id={`unit-${one}`}
              aria-current={one === shown ? 'true' : undefined}
              hx-get={`/pages/size-guide?unit=${one}`}
              hx-target="#charts"
              hx-select="#charts"
              hx-swap="outerHTML"
              hx-replace-url="true"
            >
              {t(`information.units.${one}`)}
            </a>
          ))}
        </nav>
        {charts.map((chart) => (
          <Chart chart={chart} unit={shown} />
        ))}
      </div>
    </>
  )
}

function Chart({ chart, unit }: { chart: SizeChart; unit: Unit }) {
  const { number } = useLanguage()
  const { id, note, columns, rows } = chart
  const cell = (value: string | number): string => {
    const measured = typeof value === 'number' ? value : Number(value)
    if (value === '' || Number.isNaN(measured)) return String(value)
    return number(converted(measured, chart.unit, unit))
  }
  return (
    <section id={id}>
      <h2 id={`${id}-title`}>{titleOf(id)}</h2>
      {note !== '' && <p class="hint">{note}</p>}
      <div class="table-wide" tabindex={0} role="region" aria-labelledby={`${id}-title`}>
        <table>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th scope="col" class={index > 0 ? 'amount' : undefined}>
                  {index > 0 ? `${column} (${isKnown(chart.unit) ? unit : chart.unit})` : column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([size, ...cells]) => (
              <tr>
                <th scope="row">{size}</th>
                {cells.map((value) => (
                  <td class="amount">{cell(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const isKnown = (unit: string): unit is Unit => UNITS.some((one) => one === unit)

/** To a tenth, which is as exact as cloth is cut. */
function converted(value: number, from: string, to: Unit): number {
  if (from === to || !isKnown(from)) return value
  return Math.round((to === 'in' ? value / CM_PER_INCH : value * CM_PER_INCH) * 10) / 10
}

/** A chart has no title of its own: `men-tops` becomes "Men tops". */
function titleOf(id: string): string {
  const words = id.replaceAll(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
