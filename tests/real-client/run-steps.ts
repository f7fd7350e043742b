import { createAdapter } from './adapter.ts'
import { account } from './steps/account.ts'
import { browse } from './steps/browse.ts'
import { buy } from './steps/buy.ts'
import { editProducts } from './steps/edit-products.ts'
import { pay } from './steps/pay.ts'
import { runShop } from './steps/run-shop.ts'
import type { StepOptions } from './steps/step.ts'

export interface Step {
  name: string
  /** Absent when the reply was as the storefront needs it. */
  failure?: string
}

/**
 * Makes every call of the storefront, first those of a shopper and then those of a merchant, and reads of each reply
 * what its pages read.
 * @returns every step, with its failure if it has one
 */
export async function runSteps(options: StepOptions): Promise<Step[]> {
  const adapter = createAdapter(options)
  const steps: Step[] = []
  for (const [name, run] of [
    ...browse(adapter),
    ...buy(adapter),
    ...account(adapter),
    ...editProducts(adapter, options),
    ...runShop(adapter, options),
    ...pay(adapter, options),
  ]) {
    try {
      await run()
      steps.push({ name })
    } catch (error) {
      steps.push({ name, failure: error instanceof Error ? error.message : String(error) })
    }
  }
  return steps
}
