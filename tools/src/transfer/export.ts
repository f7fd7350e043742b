import { runTransfer } from './command.ts'

await runTransfer('export')
