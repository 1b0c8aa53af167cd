import * as z from 'zod/mini'

/** A file in a response. Its name has letters, digits, dots and hyphens. */
export type FileResponse = { name: string; bytes: Uint8Array<ArrayBuffer> }

const mediaTypes = new WeakMap<object, string>()

/** The response of an endpoint that sends a file of this media type instead of JSON. */
// A bundler may drop an unused schema: the only side effect is the entry of that schema.
/* @__NO_SIDE_EFFECTS__ */
export function file(mediaType: string) {
  const schema = z.custom<FileResponse>()
  mediaTypes.set(schema, mediaType)
  return schema
}

/** The media type of an endpoint's file; undefined for an endpoint that sends JSON. */
export const fileMediaType = (response: object | undefined) => response && mediaTypes.get(response)
