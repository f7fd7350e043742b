import type { paths } from './openapi.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

type MethodsOf<Path extends keyof paths> = {
  [Name in Method]: paths[Path][Name] extends { responses: unknown } ? Name : never
}[Method]

/** Every operation of the API by its method and path, such as `GET /products/{slug}`. */
export type OperationKey = {
  [Path in keyof paths]: `${Uppercase<MethodsOf<Path>>} ${Path}`
}[keyof paths]

/** The JSON of a successful response of an operation, as the API describes it. */
export type ResponseOf<Key extends OperationKey> = Key extends `${infer Name} ${infer Path extends keyof paths}`
  ? paths[Path][Lowercase<Name> & Method] extends {
      responses: { 200: { content: { 'application/json': infer Body } } }
    }
    ? Body
    : never
  : never
