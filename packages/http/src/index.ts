export { RouteAccess, SERVICE_ACCESS_PATH } from './access-list.ts'
export {
  likelyMistakes,
  rejectUnknownFields,
  requireKnownFields,
  requireUnchanged,
  unknownFieldFaults,
} from './admin-fields.ts'
export { BrowserCookieConfig, type Browsers, isSecret, namesBrowser, newSecret, recognizeBrowsers } from './browser.ts'
export { PRIVATE_CACHE_CONTROL, sendPublicJson, SURROGATE_KEY, SURROGATE_PURGE } from './caching.ts'
export {
  type Client,
  clientAddressOf,
  clientKeysOf,
  clientNetwork,
  isSharedKey,
  networkOf,
  type SentRequest,
  unmappedAddress,
} from './client-network.ts'
export { badCursor, cursorCodec } from './cursor.ts'
export {
  latestFirstFields,
  latestFirstPage,
  latestFirstParameters,
  offsetOf,
  optionalFilter,
  pageFields,
  pageParameters,
  PerPage,
  perPageParameter,
  periodParameters,
  requestedPageFields,
} from './described-parameters.ts'
export { type FieldIssue, fieldIssues } from './field-issues.ts'
export { htmlPage, pageStyle, type PageStyle } from './html-page.ts'
export { type App, createApp, MAX_ADDRESS_BYTES, MAX_HEADERS_BYTES } from './http-app.ts'
export { CLIENT_GONE } from './request-hooks.ts'
export { reportError, toHttpError } from './send-error.ts'
export { digestOf, IdempotencyKey } from './idempotency-key.ts'
export { countRequest, UNMATCHED } from './http-metrics.ts'
export { parseJsonBody } from './json-body.ts'
export { isFlagSet } from './query-flag.ts'
export { issueWords } from './issue-words.ts'
export { HEARTBEAT_INTERVAL_HEADER, HEARTBEAT_PATH } from './heartbeat.ts'
export { nearestName } from './nearest-name.ts'
export { keepResponsesPrivate } from './private-responses.ts'
export { pruneSchemas } from './prune-schemas.ts'
export { OPERATION_ERRORS, SERVICE_OPENAPI_PATH } from './openapi.ts'
export {
  isPrivateAddress,
  lookupWith,
  PrivateAddressRejected,
  publicLookup,
  rejectPrivateLiteral,
  type ResolveName,
} from './outbound/private-address.ts'
export { createNameResolver } from './outbound/resolve-name.ts'
export { compareFields, type SentBackField, type UnknownField } from './unknown-fields.ts'
