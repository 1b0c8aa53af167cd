import { randomUUIDv7 } from 'node:crypto'
import type { Id } from '@slipway/contract/id'

/** A new UUIDv7 (RFC 9562 §5.7), which sorts by creation time. */
export const newId = <Kind extends string>() => randomUUIDv7() as Id<Kind>
