/** The result of a check. `advice` is one sentence that names what to do. */
export type Finding =
  | { check: string; state: 'ok'; found: string }
  | { check: string; state: 'warn' | 'fault'; found: string; advice: string }

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found })
export const warn = (check: string, found: string, advice: string): Finding => ({ check, state: 'warn', found, advice })
export const fault = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'fault',
  found,
  advice,
})

/** The advice where the database or NATS lacks what this version needs. */
export const MIGRATE =
  'Run the migrate step (npm start does; docker compose run --rm migrate; the migrate job in Kubernetes).'
