/**
 * Reads the description of the whole API from a running shop.
 * @param url the shop's address, without a trailing slash
 * @returns the JSON text of docs/openapi.json: indented, and with the default address instead of that of this shop
 * @throws when the shop does not respond
 */
export async function openApiText(url: string): Promise<string> {
  const response = await fetch(`${url}/openapi.json`)
  if (!response.ok) throw new Error(`${url}/openapi.json failed with ${response.status}`)
  const text = JSON.stringify(await response.json(), null, 2)
  return `${text.replaceAll(url, 'http://localhost:8080')}\n`
}
