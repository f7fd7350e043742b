import { getContainerRuntimeClient } from 'testcontainers'

/** What the launcher uses of the API of a Docker engine, besides starting containers. */
export interface DockerEngine {
  listContainers(options: {
    all: boolean
    filters: Record<string, string[]>
  }): Promise<{ Id: string; Names: string[]; Labels: Record<string, string> }[]>
  getContainer(id: string): { remove(options: { force: boolean }): Promise<unknown> }
  listVolumes(options: { filters: Record<string, string[]> }): Promise<{ Volumes: { Name: string }[] }>
  createVolume(options: { Name: string; Labels: Record<string, string> }): Promise<unknown>
  getVolume(name: string): { remove(): Promise<unknown> }
}

export async function dockerEngine(): Promise<DockerEngine> {
  return (await getContainerRuntimeClient()).container.dockerode
}
