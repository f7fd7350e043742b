export { type Connections, type Parts, type StartedService, startService } from './start-service.ts'
