import { textTable } from '../events/text-table.ts'
import { labeledRows } from '../summary-table.ts'
import type { RunningCluster } from './start-cluster.ts'
import { etcdLeader, natsLeader, postgresPrimary, redisPrimary } from './leaders.ts'
import type { Machine } from './machine.ts'
import { MACHINE_NAMES } from './network.ts'

/** What a person needs to know about the running shop: its addresses, and which machine leads in what. */
export async function clusterSummary(cluster: RunningCluster): Promise<string> {
  const mail: [string, string][] =
    cluster.mailboxPage === undefined ? [] : [['Mail', `${cluster.mailboxPage}   shows what the shop sends`]]
  const rows = labeledRows([
    ['Shop', cluster.url],
    ['Console', `${cluster.url}/console`],
    ['Admin sign-in', `${cluster.adminEmail}   password: ${cluster.adminPassword}`],
    ...mail,
    ['Data', cluster.dataDir],
    ['Doctor', `DATA_DIR='${cluster.dataDir}' npm run doctor`],
  ])
  return `${rows}\n${await leaderTable(cluster)}`
}

/** Which machine leads in what, as a table. */
async function leaderTable(cluster: RunningCluster): Promise<string> {
  const finders = [postgresPrimary, natsLeader, redisPrimary, etcdLeader]
  const leaders = await Promise.all(finders.map((find) => find(cluster).catch(() => undefined)))
  const head = ['Machine', 'Address', 'PostgreSQL', 'NATS', 'Redis', 'etcd', 'Process ids']
  const rows = MACHINE_NAMES.map((name) => {
    const machine = cluster.machines[name]
    const roles = leaders.map((leader, index) => roleOf(leader, machine, index === 0 ? 'primary' : 'leads'))
    return [name, machine.address, ...roles, processIds(machine)]
  })
  return textTable(head, rows).replaceAll(/^(?=.)/gm, '  ')
}

function roleOf(leader: Machine | undefined, machine: Machine, role: string): string {
  if (leader === undefined) return 'unknown'
  return leader === machine ? role : '–'
}

function processIds({ engines, services }: Machine): string {
  const named = [...Object.entries(engines), ...services]
  return named.map(([name, process]) => `${name} ${process.pid() ?? 'down'}`).join(', ')
}
