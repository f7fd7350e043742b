import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import shared from './vitest.config.ts'

/** Tests without a database first: a change that they notice needs no other test. */
class QuickFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isQuick = ({ moduleId }: TestSpecification) => moduleId.includes('/src/')
    return files.toSorted((one, other) => Number(isQuick(other)) - Number(isQuick(one)))
  }
}

/** The tests of money, stock, discounts and transitions, for the mutation run. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: [
      'packages/contracts/src/{money,refunded-units}.test.ts',
      'services/cart/{src,test}/**/*.test.ts',
      'services/catalog/src/stock/*.test.ts',
      'services/catalog/test/{admin-stock,check-ledger,reserve-stock,order-restocked}.test.ts',
      'services/orders/src/**/*.test.ts',
      'services/orders/test/{change-order,admin-orders,apply-payment-update,apply-refund-update,refund-lines,refund-order,process-refunds}.test.ts',
      'services/orders/test/{check-out-cart,give-up,free-order,payment-sessions,place-order-for-merchant,order-events,one-cart-two-ways,one-line-one-order}.test.ts',
      'services/orders/test/{razorpay,stripe,receive-webhook,verify-payment,process-events,reconciliation}.test.ts',
    ],
    sequence: { sequencer: QuickFilesFirst },
    reporters: ['default'],
    maxWorkers: 1,
    // A change that makes a test wait without end is noticed by this.
    testTimeout: 20_000,
    hookTimeout: 40_000,
  },
})
