import { runServices, type ServicePlan } from '@storefront/service'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { z } from 'zod'
import { loadService } from './load-service.ts'
import { STOP_ORDER } from './stop-order.ts'

/** The environment of each service by its name, because variables such as PORT differ between services. */
const Environments = z.record(z.enum(SERVICE_NAMES), z.record(z.string(), z.string()))

const environments = Environments.parse(JSON.parse(process.env['SERVICE_ENVIRONMENTS'] ?? '{}'))
const planOf = async (name: ServiceName): Promise<ServicePlan> => ({
  service: await loadService(name),
  env: environments[name],
})
const [first, ...others] = STOP_ORDER
await runServices('shop', [await planOf(first), ...(await Promise.all(others.map(planOf)))])
