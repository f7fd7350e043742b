import { spawn, type ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

// Runs beside the launcher in its own session. When the launcher ends, for any reason, its input closes: it then sends
// the stop signal to every process that still runs, last started first, and 20 s later kills those that ignored it.
// PostgreSQL is watched with INT and is never killed, because it may be writing its last checkpoint.
const script = `
trap '' INT TERM HUP
watched=''
while read -r action signal pid; do
  kept=''
  for entry in $watched; do [ "\${entry##*:}" = "$pid" ] || kept="$kept $entry"; done
  watched="$kept"
  [ "$action" = watch ] && watched="$signal:$pid $watched"
done
[ -z "\${watched# }" ] && exit 0
for entry in $watched; do kill -s "\${entry%%:*}" "\${entry##*:}" 2>/dev/null; done
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  alive=''
  for entry in $watched; do kill -0 "\${entry##*:}" 2>/dev/null && alive="$alive $entry"; done
  [ -z "$alive" ] && exit 0
  watched="$alive"
  sleep 1
done
for entry in $watched; do [ "\${entry%%:*}" = INT ] || kill -s KILL "\${entry##*:}" 2>/dev/null; done
`

let watchdog: ChildProcess | undefined

/** Lets the watchdog end a process with this signal if the launcher ends without having stopped it. */
export function watchProcess(pid: number, stopSignal: 'SIGTERM' | 'SIGINT'): void {
  send(`watch ${stopSignal.slice(3)} ${pid}`)
}

export function unwatchProcess(pid: number): void {
  send(`unwatch - ${pid}`)
}

function send(line: string): void {
  watchdog ??= startWatchdog()
  watchdog.stdin?.write(`${line}\n`)
}

function startWatchdog(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  // Without a shell there is no watchdog. The next start still finds and ends leftover processes.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  if (child.stdin instanceof Socket) child.stdin.unref()
  child.unref()
  return child
}
