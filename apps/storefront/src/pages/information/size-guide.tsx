import { useLanguage } from '../../layout/page-context.ts'
import type { SizeChart } from '../../shop/catalog.ts'
import { inBothUnits, unitOf } from '../product/units.ts'

const UNITS = ['cm', 'in'] as const
type Unit = (typeof UNITS)[number]

/** Every size chart of the shop. @param props.unit as the address says, or that of the charts */
export function SizeGuide({ charts, unit }: { charts: readonly SizeChart[]; unit: string | null }) {
  const { t } = useLanguage()
  const shown = UNITS.find((one) => one === unit) ?? unitOf(charts[0]?.unit ?? '') ?? 'cm'
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
  const own = unitOf(chart.unit)
  const cell = (value: string | number): string => {
    const both = own && inBothUnits(value, own)
    if (both) return number(both[unit])
    return typeof value === 'number' ? number(value) : value
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
                  {index > 0 ? `${column} (${own ? unit : chart.unit})` : column}
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

/** A chart has no title of its own: `men-tops` becomes "Men tops". */
function titleOf(id: string): string {
  const words = id.replaceAll(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
