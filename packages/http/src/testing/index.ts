export { browserCookie } from './browser-cookie.ts'
