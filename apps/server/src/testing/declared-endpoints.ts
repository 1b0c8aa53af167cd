import { readdirSync } from 'node:fs'
import type { Endpoint } from '@slipway/contract/endpoint'
import { uploadMediaTypes } from '@slipway/contract/upload'

/** All endpoints of the contract, mounted or not, with the names of their exports. */
export async function namedEndpoints(): Promise<(readonly [string, Endpoint])[]> {
  const folder = new URL('../../../../packages/contract/src/', import.meta.url)
  const files = readdirSync(folder).filter((file) => /^[a-z-]+\.ts$/.test(file))
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)))
  return modules
    .flatMap((exported) => Object.entries(exported))
    .filter(
      (named): named is [string, Endpoint] =>
        typeof named[1] === 'object' &&
        named[1] !== null &&
        'access' in named[1] &&
        'path' in named[1],
    )
}

/** All endpoints of the contract, mounted or not. */
export const declaredEndpoints = async (): Promise<Endpoint[]> =>
  (await namedEndpoints()).map(([, endpoint]) => endpoint)

/** The outer title of an endpoint's tests: its method and path, which no other endpoint has. */
export const title = ({ method, path }: Endpoint) => `${method} ${path}`

/** True for an endpoint that receives JSON, not a file. */
export const hasJsonBody = ({ body }: Endpoint) =>
  body !== undefined && uploadMediaTypes(body) === undefined
