import * as z from 'zod/mini'

declare const kind: unique symbol

/** An identifier that only fits where its kind is asked for: a team's does not compile as a project's. */
export type Id<Kind extends string> = string & { readonly [kind]: Kind }

/** RFC 9562 §5.9: the UUID that names nothing. */
const nil = '00000000-0000-0000-0000-000000000000'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * An id from outside. A malformed one becomes the nil UUID, which no row has: it is then "not found"
 * like any other id that names nothing, without a second code path.
 */
/* @__NO_SIDE_EFFECTS__ */
export function idInput<Kind extends string>(missing?: string) {
  const text = z.string(missing).check(
    z.minLength(1, missing),
    z.overwrite((value) => (uuid.test(value) ? value.toLowerCase() : nil)),
  )
  return text as unknown as z.ZodMiniType<Id<Kind>, string>
}

/** An id in an answer. */
/* @__NO_SIDE_EFFECTS__ */
export function idOutput<Kind extends string>() {
  return z.string() as unknown as z.ZodMiniType<Id<Kind>, Id<Kind>>
}
