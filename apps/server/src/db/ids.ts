import { randomUUIDv7 } from 'node:crypto'
import type { Id } from '@slipway/contract/id'

/** A new id: a UUIDv7 (RFC 9562 §5.7), so that rows lie in the order they were made. */
export const newId = <Kind extends string>() => randomUUIDv7() as Id<Kind>
