import { useNavigate, useSearch } from '@tanstack/react-router'

/** What the address bar holds behind the question mark, so that every view can be sent as a link. */
export type Filters = Record<string, string>

/** @returns the filters, and a function that changes some of them; `undefined` removes one. A change begins at page 1. */
export function useFilters(): [Filters, (change: Record<string, string | undefined>) => void] {
  const filters: Filters = useSearch({ strict: false })
  const navigate = useNavigate()
  return [
    filters,
    (change) => {
      const next = Object.entries({ ...filters, page: undefined, ...change }).filter(isSet)
      void navigate({ to: '.', search: Object.fromEntries(next), replace: true })
    },
  ]
}

/** @returns the page of a list that the address names; 1 if it names none */
export function pageOf({ page }: Filters): number {
  return page !== undefined && /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}

function isSet(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined && entry[1] !== ''
}

/** The texts among what an address holds. */
export function readFilters(search: Record<string, unknown>): Filters {
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

export function parseSearch(text: string): Filters {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && value !== '' ? [[name, value]] : [],
    ),
  ).toString()
  return text === '' ? '' : `?${text}`
}
