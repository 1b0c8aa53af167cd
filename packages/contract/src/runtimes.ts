import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { upload } from './upload.ts'

export const runtimes = ['starter', 'static', 'node', 'php', 'wordpress', 'image'] as const
export type Runtime = (typeof runtimes)[number]

/** Whether a region can run a runtime. */
export const runtimeCapability = z.object({
  id: z.enum(runtimes),
  available: z.boolean(),
  /** In the caller's language; null when it is available. Only operators read the cause. */
  reason: z.nullable(z.string()),
  /** The version that it runs, such as Node's; null for files alone, and when unavailable. */
  version: z.nullable(z.string()),
})
export type RuntimeCapability = z.output<typeof runtimeCapability>

export const listRuntimes = endpoint('GET /management/runtime/all', {
  summary: 'List what a project in a region can run',
  query: z.object({ regionId: z.string() }),
  response: z.array(runtimeCapability),
  errors: ['region_not_found'],
})

/** Runtimes whose files operators add, because the projects share them. */
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
  summary: 'Add a version of what projects run, such as WordPress; new projects get the newest',
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
