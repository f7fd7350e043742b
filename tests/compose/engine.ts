import { execFile, execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'
import { ShellSession } from '../documents/shell-session.ts'
import { readText, repository } from '../repository/source-files.ts'

export const Service = z.object({
  image: z.string(),
  build: z.object({ target: z.string() }).optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  mem_limit: z.string().optional(),
  healthcheck: z.object({ test: z.array(z.string()).optional(), disable: z.boolean().optional() }).optional(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  networks: z.array(z.string()).optional(),
  profiles: z.array(z.string()).optional(),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
})

/** The content of docker-compose.yml with its anchors merged; it has more aliases than the parser allows by default. */
export function composeFile(): { services: Record<string, z.output<typeof Service>> } {
  const text: unknown = parse(readText('docker-compose.yml'), { merge: true, maxAliasCount: -1 })
  return z.object({ services: z.record(z.string(), Service) }).parse(text)
}

export interface Engine {
  /** Why nothing can run here and what to do about it, as a sentence; absent when everything is available. */
  missing?: string
  /** The same for the profile of the observers. */
  observersMissing?: string
  /** `docker` with these arguments. @returns its output, which for the log of a container is that of both channels */
  docker: (...words: string[]) => Promise<string>
  /** Runs `docker compose`, or its equivalent on this machine, in the repository. @returns its standard output */
  compose: (words: readonly string[], env?: Record<string, string>) => Promise<string>
  /** Opens a shell in which `docker compose` works, also where only docker-compose is installed. */
  openShell: (cwd: string, env: Record<string, string>) => Promise<ShellSession>
}

/** Looks for a Docker engine and for the public images that the compose file names. */
export function findEngine(): Engine {
  const command = findCommand()
  const missing = whatIsMissing(command)
  const observersMissing = missing ?? missingImage(imagesOf('observability'))
  const [file = '', ...before] = command ?? []
  return {
    ...(missing !== undefined && { missing }),
    ...(observersMissing !== undefined && { observersMissing }),
    docker: async (...words) => {
      const { stdout, stderr } = await run('docker', words, {})
      return stdout + (words[0] === 'logs' ? stderr : '')
    },
    compose: async (words, env = {}) => (await run(file, [...before, ...words], env)).stdout,
    async openShell(cwd, env) {
      const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
      const session = new ShellSession({ cwd, env: { ...process.env, ...env, PATH: path } })
      if (file === 'docker-compose') {
        await session.run(
          `docker() { if [ "$1" = compose ]; then shift; docker-compose "$@"; else command docker "$@"; fi; }; export -f docker`,
        )
      }
      return session
    },
  }
}

function findCommand(): string[] | undefined {
  return [['docker', 'compose'], ['docker-compose']].find(
    ([file = '', ...words]) => tried(file, [...words, 'version']) !== undefined,
  )
}

function whatIsMissing(command: string[] | undefined): string | undefined {
  if (tried('docker', ['version', '--format', '{{.Server.Version}}']) === undefined) {
    return 'No Docker engine responds. Start one, or set DOCKER_HOST to where it listens.'
  }
  if (command === undefined) return 'Neither "docker compose" nor "docker-compose" is installed.'
  const built = [...readText('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)
  return missingImage([...imagesOf(undefined), ...built])
}

/** The images built from this repository. */
const OWN_IMAGES = new Set(['storefront', 'storefront-edge'])

/** The public images of a profile, or of the services without a profile. */
function imagesOf(profile: string | undefined): string[] {
  return Object.values(composeFile().services)
    .filter(({ image }) => !OWN_IMAGES.has(image))
    .filter(({ profiles }) => (profile === undefined ? !profiles : profiles?.includes(profile)))
    .map(({ image }) => image)
}

function missingImage(images: readonly string[]): string | undefined {
  const absent = [...new Set(images)].find(
    (image) =>
      tried('docker', ['image', 'inspect', image]) === undefined && tried('docker', ['pull', image]) === undefined,
  )
  if (absent === undefined) return undefined
  return `The image ${absent} can be neither found nor pulled. Give this machine a registry, or the image.`
}

function tried(file: string, words: readonly string[]): string | undefined {
  try {
    return execFileSync(file, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

function run(file: string, words: readonly string[], env: Record<string, string>) {
  return promisify(execFile)(file, words, {
    cwd: repository,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
}
