import { usePage } from '../../layout/page-context.ts'
import type { Settings } from '../../shop/catalog.ts'

/** What the merchant's policy says, and what the shop is set to. */
export function Shipping() {
  const { frame, language } = usePage()
  const { t } = language
  const { commerce, deliveryPolicy } = frame.settings
  const days = commerce?.returnsWindowDays
  const countries = commerce?.countries ?? []
  return (
    <>
      {policyTexts(deliveryPolicy).map((text) => (
        <Policy text={text} />
      ))}
      <Methods />
      {countries.length > 0 && (
        <section>
          <h2>{t('information.countries')}</h2>
          <p>{countries.map(([, name]) => name).join(', ')}</p>
        </section>
      )}
      {days !== undefined && days !== null && (
        <section>
          <h2>{t('information.returns')}</h2>
          <p>{t('information.returnsText', { count: days })}</p>
          <p>
            <a href="/orders/lookup">{t('information.findOrder')}</a>
          </p>
        </section>
      )}
    </>
  )
}

function policyTexts(policy: Settings['deliveryPolicy']): string[] {
  const texts: unknown = policy
  const list: unknown[] = Array.isArray(texts) ? texts : [texts]
  return list.filter((text) => typeof text === 'string' && text !== '').map(String)
}

/** Puts the amounts of the shop into a text of the merchant. */
function Policy({ text }: { text: string }) {
  const { frame, language } = usePage()
  const { commerce } = frame.settings
  const [first] = commerce?.shippingMethods ?? []
  const amount = (value: number | null | undefined) =>
    value === null || value === undefined ? '' : language.amount(value, frame.currency)
  const values: Record<string, string> = {
    shipping: amount(first?.price),
    freeOver: amount(commerce?.freeShippingOver),
    returnsDays: language.number(commerce?.returnsWindowDays ?? 0),
  }
  return <p>{text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)}</p>
}

function Methods() {
  const { frame, language } = usePage()
  const { t, amount } = language
  const { currency } = frame
  const { commerce } = frame.settings
  const methods = commerce?.shippingMethods ?? []
  const [first] = methods
  if (!first) return null
  const freeOver = commerce?.freeShippingOver
  return (
    <section>
      <h2 id="methods-title">{t('information.methods')}</h2>
      <div class="table-wide" tabindex={0} role="region" aria-labelledby="methods-title">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('information.method')}</th>
              <th scope="col">{t('information.time')}</th>
              <th scope="col" class="amount">
                {t('information.price')}
              </th>
            </tr>
          </thead>
          <tbody>
            {methods.map(({ id, label, note, price }) => (
              <tr>
                <th scope="row">{label ?? id}</th>
                <td>{note}</td>
                <td class="amount">{price === 0 ? t('information.free') : amount(price, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {typeof freeOver === 'number' && (
        <p>{t('information.freeOver', { amount: amount(freeOver, currency), method: first.label ?? first.id })}</p>
      )}
    </section>
  )
}
