export { signalWrites } from './signal-writes.ts'
export { type Connections, type StartedService, startService } from './start-service.ts'
