import { useLanguage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Product } from '../../shop/catalog.ts'
import { inBothUnits, unitOf, type BothUnits } from './units.ts'

type Chart = NonNullable<Product['sizeChart']>

/** Opened by a script; without one it stands at the end of the page, where its link leads. */
export function SizeChart({ chart }: { chart: Chart }) {
  const { t } = useLanguage()
  const unit = unitOf(chart.unit)
  return (
    <dialog id="size-chart" class="chart" aria-labelledby="size-chart-title">
      <div class="drawer-head">
        <h2 id="size-chart-title">{t('product.sizeChart')}</h2>
        <button class="tool script-on" data-closes-dialog aria-label={t('common.close')}>
          <Icon name="close" />
        </button>
      </div>
      {unit ? <Units unit={unit} /> : <p class="hint">{t('product.unit', { unit: chart.unit })}</p>}
      <div class="chart-scroll" tabindex={0} role="region" aria-labelledby="size-chart-title">
        <ChartTable chart={chart} unit={unit} />
      </div>
      {chart.note !== '' && <p class="hint">{chart.note}</p>}
      <p>
        <a href="/pages/size-guide">{t('product.sizeGuide')}</a>
      </p>
    </dialog>
  )
}

/** The style sheet shows the numbers of the chosen unit. */
function Units({ unit }: { unit: 'cm' | 'in' }) {
  const { t } = useLanguage()
  return (
    <fieldset class="units">
      <legend class="visually-hidden">{t('product.unitChoice')}</legend>
      {(['cm', 'in'] as const).map((one) => (
        <label class="value">
          <input type="radio" name="unit" value={one} defaultChecked={one === unit} />
          <span class="value-name">{t(`product.${one}`)}</span>
        </label>
      ))}
    </fieldset>
  )
}

function ChartTable({ chart: { columns, rows }, unit }: { chart: Chart; unit: 'cm' | 'in' | undefined }) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([size, ...cells]) => (
          <tr>
            <th scope="row">{size}</th>
            {cells.map((cell) => (
              <Cell cell={cell} both={unit && inBothUnits(cell, unit)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({ cell, both }: { cell: string | number; both: BothUnits | undefined }) {
  const { number } = useLanguage()
  if (!both) return <td>{cell}</td>
  return (
    <td>
      <span class="unit-cm">{number(both.cm)}</span>
      <span class="unit-in">{number(both.in)}</span>
    </td>
  )
}
