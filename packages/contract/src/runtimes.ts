import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What a project can run. */
export const runtimes = ['starter', 'static', 'node', 'php', 'wordpress', 'image'] as const
export type Runtime = (typeof runtimes)[number]

/** Whether a region can run a runtime. */
export const runtimeCapability = z.object({
  id: z.enum(runtimes),
  available: z.boolean(),
  /** One sentence for operators, in the caller's language; null when it is available. */
  reason: z.nullable(z.string()),
  /** The version that it runs, such as that of Node; null for files alone. */
  version: z.nullable(z.string()),
})
export type RuntimeCapability = z.output<typeof runtimeCapability>

export const listRuntimes = endpoint('GET /management/runtime/all', {
  summary: 'List what a project in a region can run',
  query: z.object({ regionId: z.string() }),
  response: z.array(runtimeCapability),
  errors: ['region_not_found'],
})
