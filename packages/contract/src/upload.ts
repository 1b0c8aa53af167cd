import * as z from 'zod/mini'

/** A file in a request, as the caller gives it to `fetch`. */
export type Upload = Blob

const mediaTypes = new WeakMap<object, readonly string[]>()

/**
 * The body of an endpoint that receives a file of one of these media types instead of JSON. The
 * server reads it as a stream.
 */
/* @__NO_SIDE_EFFECTS__ */
export function upload(...types: readonly string[]) {
  const schema = z.custom<Upload>()
  mediaTypes.set(schema, types)
  return schema
}

/** The media types of an endpoint's upload; undefined for an endpoint that receives JSON. */
export const uploadMediaTypes = (body: object | undefined) => body && mediaTypes.get(body)
