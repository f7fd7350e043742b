/** @returns the id of the upload at an address; undefined for other pictures */
export function mediaIdIn(url: string): string | undefined {
  return /\/media\/uploads\/(med_[0-9a-f]{32})\//.exec(url)?.[1]
}
