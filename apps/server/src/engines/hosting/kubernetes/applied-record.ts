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
  /** The launch of the pods; null for an instance without a program. */
  launch: z.string().nullable(),
  /** By name, the digests of each object: as we intended it, and as the API server returned it. */
  objects: z.record(z.string(), z.object({ intent: z.string(), content: z.string() })),
  /** True if its data is in a volume, and lost without the volume. */
  hasData: z.boolean(),
  /** A release that is being tried beside the applied one. */
  staged: z.string().nullable(),
  /** When the address of its release's files expires, in milliseconds. */
  archiveUntil: z.number().nullable().default(null),
  /** The digest of the operator's settings of pods; null in a record of an earlier version. */
  settings: z.string().nullable().default(null),
})

/** The applied state of an instance, without its secrets: an annotation of its namespace. */
export type AppliedRecord = z.infer<typeof appliedRecord>

export const toAnnotation = (record: AppliedRecord): string => JSON.stringify(record)

/** Null before the end of the first application, and for another version's format. */
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
