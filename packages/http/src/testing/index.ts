export { browserCookie } from './browser-cookie.ts'
export { PUBLIC_CACHE_CONTROL } from '../caching.ts'
export { MAX_SERVICE_HEAD_BYTES } from '../http-app.ts'
