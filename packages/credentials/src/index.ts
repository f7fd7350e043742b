export { type Credentials, CREDENTIALS_PURPOSE, openCredentials } from './credentials.ts'
