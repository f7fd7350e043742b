import type { App } from '@storefront/http'

export interface TestResponse {
  status: number
  headers: Record<string, unknown>
  body: unknown
}

/** @returns a function that calls a service in this process, with a body in JSON */
export function callerOf(app: App) {
  return async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: object = {},
  ): Promise<TestResponse> => {
    const response = await app.inject({
      method,
      url: path,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: response.statusCode, headers: response.headers, body: response.json<unknown>() }
  }
}
