export { actorIdOf as nameOf, recordChange } from '@storefront/audit'
