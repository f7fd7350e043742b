export { type Credentials, CREDENTIALS_PURPOSE, openCredentials, WebhookSecret } from './credentials.ts'
