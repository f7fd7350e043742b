export { type Connections, type StartedService, startService } from './start-service.ts'
