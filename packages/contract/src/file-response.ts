import * as z from 'zod/mini'

/** A file in a response. Its name has letters, digits, dots and hyphens. */
export type FileResponse = { name: string; bytes: Uint8Array<ArrayBuffer> }

/** A file of any size in a response, which is sent while it is made. Its name is as above. */
export type FileStream = { name: string; content: ReadableStream<Uint8Array> }

const mediaTypes = new WeakMap<object, string>()
const streams = new WeakSet<object>()

/** The response of an endpoint that sends a file of this media type instead of JSON. */
// A bundler may drop an unused schema: the only side effect is the entry of that schema.
/* @__NO_SIDE_EFFECTS__ */
export function file(mediaType: string) {
  const schema = z.custom<FileResponse>()
  mediaTypes.set(schema, mediaType)
  return schema
}

/**
 * The same for a file that may be larger than memory. A caller that reads less than all of it must
 * cancel the stream; a stream that fails was not sent whole.
 */
/* @__NO_SIDE_EFFECTS__ */
export function fileStream(mediaType: string) {
  const schema = z.custom<FileStream>()
  mediaTypes.set(schema, mediaType)
  streams.add(schema)
  return schema
}

/** The media type of an endpoint's file; undefined for an endpoint that sends JSON. */
export const fileMediaType = (response: object | undefined) => response && mediaTypes.get(response)

/** True for the response of an endpoint that streams its file. */
export const isFileStream = (response: object | undefined) =>
  response !== undefined && streams.has(response)
