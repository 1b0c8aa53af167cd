/** A file in a response. Its name has letters, digits, dots and hyphens. */
export type FileResponse = { name: string; bytes: Uint8Array<ArrayBuffer> }

/** A file of any size in a response, which is sent while it is made. Its name is as above. */
export type FileStream = { name: string; content: ReadableStream<Uint8Array> }

type File = {
  mediaType: string
  read: (response: Response) => FileStream | Promise<FileResponse>
}

/** The file of each response schema that is not JSON. */
const files = new WeakMap<object, File>()

/** Declares that a response with this schema is a file, read by `read`. */
export const declareFile = (schema: object, declared: File) => files.set(schema, declared)

/** The file of an endpoint's response; undefined for an endpoint that sends JSON. */
export const fileOf = (response: object | undefined) => response && files.get(response)

/** The media type of an endpoint's file; undefined for an endpoint that sends JSON. */
export const fileMediaType = (response: object | undefined) => fileOf(response)?.mediaType
