import * as z from 'zod/mini'

declare const kind: unique symbol

/** An id of one kind: a team's id does not compile as a project's. */
export type Id<Kind extends string> = string & { readonly [kind]: Kind }

/** The nil UUID (RFC 9562 §5.9). No row has it. */
const nil = '00000000-0000-0000-0000-000000000000'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * An id in a request. A malformed one becomes the nil UUID and is then "not found", like any
 * unknown id. `missing` is the message for an empty one.
 */
/* @__NO_SIDE_EFFECTS__ */
export function idInput<Kind extends string>(missing?: string) {
  const text = z.string(missing).check(
    z.minLength(1, missing),
    z.overwrite((value) => (uuid.test(value) ? value.toLowerCase() : nil)),
  )
  return text as unknown as z.ZodMiniType<Id<Kind>, string>
}

/** An id in a response. */
/* @__NO_SIDE_EFFECTS__ */
export function idOutput<Kind extends string>() {
  return z.string() as unknown as z.ZodMiniType<Id<Kind>, Id<Kind>>
}
