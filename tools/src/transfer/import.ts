import { runTransfer } from './command.ts'

await runTransfer('import')
