import { useLanguage, usePage } from '../../layout/page-context.ts'
import type { Language } from '../../messages/language.ts'
import { Icon } from '../../parts/icon.tsx'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Settings } from '../../shop/catalog.ts'

type Estimate = NonNullable<Awaited<ReturnType<LiveRequest['catalog']['deliveryEstimate']>>>

const COUNTRY_CODE = /^[a-z]{2}$/i

/** When an order would arrive. Depends on the hour, so it is not part of the page that all shoppers get. */
export function deliveryPage(app: App, storefront: Storefront): void {
  livePage(app, storefront, { route: '/delivery-estimate', view: showEstimate })
}

async function showEstimate({ query, catalog, context, hasScript }: LiveRequest): Promise<LiveResult> {
  const sent = query.get('country') ?? ''
  const country = COUNTRY_CODE.test(sent) ? sent : ''
  const estimate = await catalog.deliveryEstimate({ country })
  const { settings } = context.frame
  const text = estimateText(estimate, settings, context.language)
  if (hasScript) return { fragment: text }
  const title = context.language.t('product.delivery')
  return {
    head: { title, isPrivate: true, style: 'product' },
    body: (
      <section class="page">
        <h1>{title}</h1>
        <Delivery country={country} text={text} />
      </section>
    ),
  }
}

function estimateText(estimate: Estimate | undefined, { commerce }: Settings, { t, day }: Language): string {
  if (!estimate) return t('product.deliveryUnknown')
  const { method, arrivesAt, cutoff, shipsToday } = estimate
  const label = commerce?.shippingMethods?.find(({ id }) => id === method)?.label ?? method
  const [time] = /^\d{1,2}:\d{2}/.exec(cutoff) ?? [cutoff]
  const values = { time, day: day(arrivesAt), method: label }
  return shipsToday ? t('product.deliveryToday', values) : t('product.deliveryLater', values)
}

/** Chooses the country, which a script remembers. */
export function Delivery({ country, text }: { country?: string; text?: string }) {
  const { frame } = usePage()
  const { t } = useLanguage()
  const countries = frame.settings.commerce?.countries ?? []
  return (
    <form
      class="delivery"
      action="/delivery-estimate"
      hx-get="/delivery-estimate"
      hx-trigger="load-estimate, change, submit"
      hx-target="find output"
      data-delivery
    >
      <Icon name="truck" />
      <div>
        <output>{text ?? <Unknown />}</output>
        {countries.length > 1 && (
          <p class="delivery-country">
            <label for="delivery-country">{t('product.deliveryTo')}</label>
            <select id="delivery-country" name="country" autocomplete="country">
              {countries.map(([code, name]) => (
                <option value={code} selected={code === country}>
                  {name}
                </option>
              ))}
            </select>
          </p>
        )}
        <button class="button button-outline button-small script-off">{t('product.deliveryShow')}</button>
      </div>
    </form>
  )
}

/** Shown until the server has sent a date. */
function Unknown() {
  const { frame, language } = usePage()
  const [method] = frame.settings.commerce?.shippingMethods ?? []
  return (
    <>
      <span class="script-on">{language.t('product.deliveryLoading')}</span>
      <span class="script-off">{[method?.label, method?.note].filter(Boolean).join(': ')}</span>
    </>
  )
}
