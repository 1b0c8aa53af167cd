import * as z from 'zod/mini'

/** A file that a call answers with, to be saved under that name: letters, digits, dots and hyphens. */
export type FileResponse = { name: string; bytes: Uint8Array<ArrayBuffer> }

const types = new WeakMap<object, string>()

/** The answer of an endpoint that gives a file of this media type, and no JSON. */
/* @__NO_SIDE_EFFECTS__ */
export function file(type: string) {
  const schema = z.custom<FileResponse>()
  types.set(schema, type)
  return schema
}

/** The media type of the file that an endpoint answers with; undefined for one that answers JSON. */
export const fileMediaType = (answer: object | undefined) => answer && types.get(answer)
