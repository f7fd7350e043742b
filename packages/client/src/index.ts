export {
  createStorefrontClient,
  type StorefrontClient,
  type StorefrontClientOptions,
} from './create-storefront-client.ts'
export type { components, paths } from './openapi.ts'
export type { ResponseOf, OperationKey } from './operations.ts'
export {
  ContractViolation,
  StorefrontError,
  type ClientCode,
  type ContractIssue,
  type Operation,
  type ShopCode,
} from './storefront-error.ts'
