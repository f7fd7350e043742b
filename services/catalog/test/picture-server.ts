import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { jpeg } from './pictures.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Another shop's server, which has pictures. */
export interface PictureServer {
  origin: string
  /** Paths of the requests, in their order. */
  seen: string[]
  /** The response of a path in place of a generated small picture. */
  replies: Map<string, Handle>
  stop(): Promise<void>
}

export async function startPictureServer(): Promise<PictureServer> {
  const seen: string[] = []
  const replies = new Map<string, Handle>()
  const made = new Map<string, Promise<Buffer>>()
  const server = createServer((request, response) => {
    const { url = '/' } = request
    const path = url.split('?')[0] ?? ''
    seen.push(path)
    const reply = replies.get(path)
    if (reply) return reply(request, response)
    const picture = made.get(path) ?? pictureOf(path)
    made.set(path, picture)
    void picture.then((bytes) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    replies,
    async stop() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The size of a picture follows from its path: those of different paths are almost always different pictures. */
function pictureOf(path: string): Promise<Buffer> {
  const sum = Buffer.from(path).reduce((total, byte) => (total * 31 + byte) % 3600, 7)
  return jpeg(40 + Math.floor(sum / 60), 60 + (sum % 60))
}
