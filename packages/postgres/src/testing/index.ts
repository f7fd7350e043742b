export { followRule } from '../retention.ts'
