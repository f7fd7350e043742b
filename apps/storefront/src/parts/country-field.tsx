import { COUNTRY_CODES } from '@storefront/contracts/country-code'
import { usePage } from '../layout/page-context.ts'
import type { Language } from '../messages/language.ts'
import { describedBy, Entry } from './field.tsx'

const listed = new Map<string, [code: string, name: string][]>()

/** In the order of their names. They are kept by language, because to name and to sort them takes a while. */
function allCountries({ tag, country }: Language): [code: string, name: string][] {
  const known = listed.get(tag)
  if (known) return known
  const { compare } = new Intl.Collator(tag)
  const countries = COUNTRY_CODES.map((code): [string, string] => [code, country(code)])
  countries.sort(([, one], [, other]) => compare(one, other))
  listed.set(tag, countries)
  return countries
}

interface CountryFieldProps {
  id: string
  label: string
  autocomplete: string
  /** A code, which may be none of those that are listed. */
  chosen: string
  problem?: string | undefined
  /** Attributes of htmx. */
  requests?: Readonly<Record<`hx-${string}`, string>>
}

/** The countries that the shop delivers to, or all of them. */
export function CountryField({ id, label, autocomplete, chosen, problem, requests }: CountryFieldProps) {
  const { frame, language } = usePage()
  const served = frame.settings.commerce?.countries ?? []
  const countries = served.length > 0 ? served : allCountries(language)
  const isListed = countries.some(([code]) => code === chosen)
  const notes = { id, problem }
  return (
    <Entry {...notes} label={label}>
      <select id={id} name="country" autocomplete={autocomplete} required {...describedBy(notes)} {...requests}>
        {!isListed && (
          <option value={chosen}>
            {chosen === '' ? language.t('common.chooseCountry') : language.country(chosen)}
          </option>
        )}
        {countries.map(([code, name]) => (
          <option value={code} selected={code === chosen}>
            {name}
          </option>
        ))}
      </select>
    </Entry>
  )
}
