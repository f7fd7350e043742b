import { SERVICE_NAMES } from '@storefront/contracts'
import { readProcesses } from '../processes-file.ts'
import { internalUrl } from '../service-environment.ts'
import { messageOf } from '../start-error.ts'
import { compareClocks } from './compare-clocks.ts'
import type { DoctorContext } from './doctor-context.ts'
import { fault, ok, type Finding } from './finding.ts'

const DEADLINE_MS = 5000

/** Checks each service whose address is known: those of `npm start`, and those in SHOP_URL, CATALOG_URL and so on. */
export async function checkServices(context: DoctorContext): Promise<Finding[]> {
  const found = await Promise.all(servicesOf(context).map(([name, url]) => checkService(name, url, context)))
  return found.flat()
}

function servicesOf({ env, addresses }: DoctorContext): [string, string][] {
  const processes = readProcesses(addresses.dataDir)
  return SERVICE_NAMES.flatMap((name): [string, string][] => {
    const given = (name === 'gateway' && env['SHOP_URL']) || env[`${name.toUpperCase()}_URL`]
    if (given) return given.split(',').map((url) => [name, url.trim().replace(/\/+$/, '')])
    const port = processes[name]?.port
    return port === undefined ? [] : [[name, internalUrl(port)]]
  })
}

async function checkService(name: string, url: string, { clock }: DoctorContext): Promise<Finding[]> {
  const get = () => fetch(`${url}/readyz`, { signal: AbortSignal.timeout(DEADLINE_MS) })
  try {
    const { status } = await get()
    if (status !== 200) {
      return [fault(name, `is not ready (${status})`, `Check the log of ${name}: it names what it waits for.`)]
    }
    const readClock = async () => Date.parse((await get()).headers.get('date') ?? '')
    return [ok(name, 'ready'), await compareClocks(name, clock, readClock, 1000)]
  } catch (error) {
    return [
      fault(
        name,
        `does not respond (${messageOf(error)})`,
        `Start ${name} (npm start starts all), or look into its log for why it ended.`,
      ),
    ]
  }
}
