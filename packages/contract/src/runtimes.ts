import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { upload } from './upload.ts'

export const runtimes = ['starter', 'static', 'node', 'php', 'wordpress', 'image'] as const
export type Runtime = (typeof runtimes)[number]

/** Whether a region offers a runtime. */
export const runtimeCapability = z.object({
  id: z.enum(runtimes),
  available: z.boolean(),
  /**
   * Why it is not available, in the caller's language; null if it is. Names the cause to operators
   * only.
   */
  reason: z.nullable(z.string()),
  /** The version of its program, such as Node; null for static files and while unavailable. */
  version: z.nullable(z.string()),
})
export type RuntimeCapability = z.output<typeof runtimeCapability>

export const listRuntimes = endpoint('GET /management/runtime/all', {
  summary: 'List the runtimes of a region',
  query: z.object({ regionId: z.string() }),
  response: z.array(runtimeCapability),
  errors: ['region_not_found'],
})

/** Runtimes whose projects share files that operators add. */
export const versionedRuntimes = ['wordpress'] as const
export type VersionedRuntime = (typeof versionedRuntimes)[number]

export const runtimeVersion = z.object({
  runtime: z.enum(versionedRuntimes),
  version: z.string(),
  /** SHA-256 of the archive, in hexadecimal. */
  digest: z.string(),
  createdAt: z.iso.datetime(),
})
export type RuntimeVersion = z.output<typeof runtimeVersion>

export const addRuntimeVersion = endpoint('POST /operator/runtime/create/:runtime', {
  summary: 'Add a version of a runtime, such as WordPress; new projects get the newest',
  access: 'operator',
  params: { runtime: z.enum(versionedRuntimes) },
  body: upload('application/zip', 'application/gzip'),
  response: runtimeVersion,
  // `item_not_found`: the runtime is unknown.
  errors: ['item_not_found', 'runtime_version_invalid'],
})

export const listRuntimeVersions = endpoint('GET /operator/runtime/all', {
  summary: 'List the versions that operators added, the newest first',
  access: 'operator',
  response: z.array(runtimeVersion),
})
