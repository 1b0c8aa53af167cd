import { readdirSync } from 'node:fs'
import type { Endpoint } from '@slipway/contract/endpoint'
import { uploadMediaTypes } from '@slipway/contract/upload'

/** All endpoints of the contract, mounted or not. */
export async function declaredEndpoints(): Promise<Endpoint[]> {
  const folder = new URL('../../../../packages/contract/src/', import.meta.url)
  const files = readdirSync(folder).filter((file) => /^[a-z-]+\.ts$/.test(file))
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)))
  return modules
    .flatMap((exported) => Object.values(exported))
    .filter(
      (value): value is Endpoint =>
        typeof value === 'object' && value !== null && 'access' in value && 'path' in value,
    )
}

/** The outer title of an endpoint's tests: its method and path, which no other endpoint has. */
export const title = ({ method, path }: Endpoint) => `${method} ${path}`

/** True for an endpoint that receives JSON, not a file. */
export const hasJsonBody = ({ body }: Endpoint) =>
  body !== undefined && uploadMediaTypes(body) === undefined
