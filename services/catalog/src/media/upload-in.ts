/** @returns the id of the upload in the address of a picture, by path or in full; undefined for other pictures */
export function uploadIn(url: string): string | undefined {
  return /\/media\/uploads\/(med_[0-9a-f]{32})\//.exec(url)?.[1]
}
