import { runtimes } from '@slipway/contract/runtimes'
import { z } from 'zod'
import type { AppliedInstance } from '../engine.ts'
import type { KubeObject } from './api/resources.ts'
import { annotations } from './objects/names.ts'

const appliedRecord = z.object({
  instance: z.object({
    key: z.string(),
    name: z.string(),
    regionId: z.string(),
    runtime: z.enum(runtimes),
    artifact: z.string().nullable(),
    hosts: z.array(z.string()),
    power: z.enum(['running', 'stopped']),
    restarts: z.number(),
  }),
  /** What the pods run; null for an instance without a program. */
  launch: z.string().nullable(),
  /** By name, the digests of each object: as we intended it, and as the API server returned it. */
  objects: z.record(z.string(), z.object({ intent: z.string(), content: z.string() })),
  /** True when its data is in a volume: without the volume, it is gone. */
  hasData: z.boolean(),
  /** A release that is being tried beside the applied one. */
  staged: z.string().nullable(),
  /** When the address of its release's files expires, in milliseconds. */
  archiveUntil: z.number().nullable().default(null),
})

/** What was applied of an instance, without its secrets: an annotation of its namespace. */
export type AppliedRecord = z.infer<typeof appliedRecord>

export const toAnnotation = (record: AppliedRecord): string => JSON.stringify(record)

/** Null for a namespace whose first application has not ended, and for an older version's. */
export function readAnnotation({ metadata }: KubeObject): AppliedRecord | null {
  const text = metadata.annotations?.[annotations.applied]
  if (text === undefined) return null
  try {
    return appliedRecord.safeParse(JSON.parse(text)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** An instance without what may not be stored in the cluster's annotations. */
export const withoutSecrets = ({
  key,
  name,
  regionId,
  runtime,
  artifact,
  hosts,
  power,
  restarts,
}: AppliedInstance): AppliedRecord['instance'] => ({
  key,
  name,
  regionId,
  runtime,
  artifact,
  hosts: [...hosts],
  power,
  restarts,
})
