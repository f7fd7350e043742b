import { demoShop } from './index.ts'

process.stdout.write(`${JSON.stringify({ mode: 'replace', ...demoShop({ now: new Date() }) }, null, 2)}\n`)
