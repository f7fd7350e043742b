import { addressLines } from '@storefront/contracts/address-lines'
import { usePage } from '../../layout/page-context.ts'
import { ButtonLink } from '../../parts/button-link.tsx'
import type { Settings } from '../../shop/catalog.ts'

export function Contact() {
  const { frame, language } = usePage()
  const { t } = language
  const { store } = frame.settings
  const address = linesOf(store?.address, language.country)
  return (
    <>
      {store?.email && (
        <section>
          <h2>{t('information.write')}</h2>
          <p>{t('information.writeText')}</p>
          <p>
            <a href={`mailto:${store.email}`}>{store.email}</a>
          </p>
        </section>
      )}
      {otherWays(store?.contact).map(([name, value]) => (
        <section>
          <h2>{name}</h2>
          <p>{isPhone(value) ? <a href={`tel:${value.replaceAll(/[^\d+]/g, '')}`}>{value}</a> : value}</p>
        </section>
      ))}
      {address.length > 0 && (
        <section>
          <h2>{t('information.address')}</h2>
          <address>
            {address.map((line) => (
              <div>{line}</div>
            ))}
          </address>
        </section>
      )}
      <section>
        <h2>{t('information.orderQuestion')}</h2>
        <p>{t('information.orderQuestionText')}</p>
        <ButtonLink to="/orders/lookup" isOutline>
          {t('information.findOrder')}
        </ButtonLink>
      </section>
    </>
  )
}

type Store = NonNullable<Settings['store']>

function linesOf(address: Store['address'], countryName: (code: string) => string): string[] {
  return typeof address === 'string' ? address.split('\n') : addressLines(address ?? {}, countryName)
}

/** Further ways that the merchant named: only texts can be shown, and the address has its own place. */
function otherWays(contact: Store['contact']): [string, string][] {
  return Object.entries(contact ?? {}).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && value !== '' && name !== 'address' && name !== 'email'
      ? [[name.charAt(0).toUpperCase() + name.slice(1), value]]
      : [],
  )
}

const isPhone = (text: string): boolean => /^\+?[\d\s()/.-]{6,30}$/.test(text)
