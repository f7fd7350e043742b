/** The plans of statements about listings and responses in a log of auto_explain: timers run all the time. */
export function plansIn(log: string): string[] {
  const plans: string[][] = []
  let current: string[] | undefined
  for (const line of log.split('\n')) {
    if (line.startsWith('\t')) {
      current?.push(line.slice(1))
      continue
    }
    const duration = /LOG:\s+duration: (\S+ ms)\s+plan:/.exec(line)?.[1]
    current = duration === undefined ? undefined : [`duration: ${duration}`]
    if (current) plans.push(current)
  }
  return plans.map((lines) => lines.join('\n')).filter((plan) => /listing|product_responses/i.test(plan))
}
