import { usePage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Product } from '../../shop/catalog.ts'

/** What the shop promises, under the button: the product's own promises, else those of the shop. */
export function Assurances({ product }: { product: Product }) {
  const { frame, language } = usePage()
  const { t, amount } = language
  const { trust, commerce } = frame.settings
  const own = product.enrichment?.assurances ?? []
  const assurances = own.length > 0 ? own : (trust?.assurances ?? [])
  const freeOver = commerce?.freeShippingOver
  const payments = trust?.payments ?? []
  return (
    <ul class="assurances">
      {typeof freeOver === 'number' && (
        <Assurance icon="truck" label={t('product.freeShippingOver', { amount: amount(freeOver, frame.currency) })} />
      )}
      {assurances.map(({ icon, label, note }) => (
        <Assurance icon={icon ?? 'check'} label={label ?? ''} note={note ?? undefined} />
      ))}
      {trust?.repairs === true && <Assurance icon="refresh" label={t('product.repairs')} />}
      {payments.length > 0 && <Assurance icon="shield" label={t('product.payments')} note={payments.join(', ')} />}
    </ul>
  )
}

function Assurance({ icon, label, note }: { icon: string; label: string; note?: string | undefined }) {
  return (
    <li>
      <Icon name={icon} />
      <p>
        {label}
        {note && <span class="hint"> {note}</span>}
      </p>
    </li>
  )
}
