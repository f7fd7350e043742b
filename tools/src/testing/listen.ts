import type { Server } from 'node:http'

/** Has a server listen at a free port of this address of the machine. */
export async function listen(server: Server, host = '127.0.0.1') {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server listens nowhere')
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    /** Ends every connection, too. */
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
