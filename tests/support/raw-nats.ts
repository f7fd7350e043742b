import { connect } from 'node:net'

const TIMEOUT_MS = 10_000

/**
 * Sends lines to NATS like a program that can reach its port, without a client library.
 * @param lines sent after the greeting
 * @returns everything that the server sent until it replied to the PING after them, or closed the connection
 */
export function sendToNats(
  url: string,
  credentials: { user?: string; pass?: string },
  lines: string[],
): Promise<string> {
  const { hostname, port } = new URL(url)
  const hello = JSON.stringify({ verbose: false, pedantic: false, headers: true, lang: 'test', ...credentials })
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname).setEncoding('utf8')
    let output = ''
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('NATS did not respond')))
    socket.on('data', (text: string) => {
      const greeted = output.includes('INFO ')
      output += text
      if (!greeted && output.includes('INFO ')) socket.write([`CONNECT ${hello}`, ...lines, 'PING', ''].join('\r\n'))
      if (/^PONG\r$/m.test(output)) socket.end()
    })
    socket.on('error', (error) => (output.includes('-ERR') ? resolve(output) : reject(error)))
    socket.on('close', () => resolve(output))
  })
}

/** A message in the NATS protocol. */
export function publication(subject: string, data: unknown): string {
  const text = JSON.stringify(data)
  return `PUB ${subject} ${Buffer.byteLength(text)}\r\n${text}`
}
