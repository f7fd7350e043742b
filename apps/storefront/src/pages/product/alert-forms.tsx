import { useLanguage, usePage } from '../../layout/page-context.ts'
import type { Product } from '../../shop/catalog.ts'
import type { ProductView } from './product-view.ts'
import { describedBy } from '../../parts/field.tsx'
import { sentOnce } from '../../parts/sent-once.ts'
import { FormField } from './form-field.tsx'

export type AlertKind = 'back-in-stock' | 'price-drop'

/** Mails for shoppers who wait: for a sold-out variant, and for a lower price. */
export function Alerts({ view: { product, choices } }: { view: ProductView }) {
  const { t } = useLanguage()
  const hasSoldOut = choices.some(({ available }) => !available)
  return (
    <div class="alerts">
      {hasSoldOut && (
        <details class="alert" data-alert="back-in-stock">
          <summary>{t('product.alert.back-in-stock')}</summary>
          <AlertForm kind="back-in-stock" product={product} />
        </details>
      )}
      <details class="alert">
        <summary>{t('product.alert.price-drop')}</summary>
        <AlertForm kind="price-drop" product={product} />
      </details>
    </div>
  )
}

interface AlertFormProps {
  kind: AlertKind
  product: Product
  /** What was sent before. */
  sent?: { variant: string; email: string }
  /** What is wrong with the address. */
  problem?: string
}

export function AlertForm({ kind, product, sent, problem }: AlertFormProps) {
  const { t } = usePage().language
  const id = `alert-${kind}`
  const email = { id: `${id}-email`, problem }
  const soldOut = product.variants.filter(({ available }) => !available)
  return (
    <form class="alert-form" {...sentOnce('/alerts')} hx-target="this" hx-swap="outerHTML">
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="product" value={product.slug} />
      {kind === 'back-in-stock' && (
        <FormField id={`${id}-variant`} label={t('product.alertVariant')}>
          <select id={`${id}-variant`} name="variant" required>
            {soldOut.map((variant) => (
              <option value={variant.id} selected={variant.id === sent?.variant}>
                {Object.values(variant.options).join(', ')}
              </option>
            ))}
          </select>
        </FormField>
      )}
      <FormField {...email} label={t('common.email')} isUrgent>
        <input
          id={email.id}
          type="email"
          name="email"
          autocomplete="email"
          required
          maxlength={254}
          value={sent?.email}
          {...describedBy(email)}
        />
      </FormField>
      <button class="button button-outline">{t('product.alertSend')}</button>
      <p class="hint">{t('product.alertNote')}</p>
    </form>
  )
}
