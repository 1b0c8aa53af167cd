import { readFile } from 'node:fs/promises'
import { runtimes } from '@slipway/contract/runtimes'
import { z } from 'zod'
import { nullIfMissing } from '../../../file-errors.ts'
import { type Capability, missingParts } from '../engine.ts'
import { writeFileAtomic } from './files/atomic-file.ts'
import type { Layout } from './files/layout.ts'

const capabilities = z.array(
  z.object({
    id: z.enum(runtimes),
    version: z.string().nullable(),
    reason: z.enum(missingParts).nullable(),
  }),
)

/** Stores the capabilities, for servers without the rights to detect them. */
export const writeCapabilities = (
  layout: Layout,
  capabilities: readonly Capability[],
): Promise<void> =>
  writeFileAtomic(layout.capabilities, JSON.stringify(capabilities), { mode: 0o644 })

/** Null if no server, or only one of another version, has stored it. */
export async function readCapabilities(layout: Layout): Promise<readonly Capability[] | null> {
  const text = await nullIfMissing(readFile(layout.capabilities, 'utf8'))
  return text === null ? null : (capabilities.safeParse(JSON.parse(text)).data ?? null)
}
