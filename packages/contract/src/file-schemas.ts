import * as z from 'zod/mini'
import { declareFile, type FileResponse, type FileStream } from './file-response.ts'

/** The name of the file in a response (RFC 6266 §4.3). */
const fileName = ({ headers }: Response) =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? ''

/** The response of an endpoint that sends a file of this media type instead of JSON. */
// A bundler may drop an unused schema: the only side effect is the entry of that schema.
/* @__NO_SIDE_EFFECTS__ */
export function file(mediaType: string) {
  const schema = z.custom<FileResponse>()
  declareFile(schema, {
    mediaType,
    read: async (response) => ({
      name: fileName(response),
      bytes: new Uint8Array(await response.arrayBuffer()),
    }),
  })
  return schema
}

/**
 * The same for a file that may be larger than memory. A caller that reads less than all of it must
 * cancel the stream; a stream that fails was not sent whole.
 */
/* @__NO_SIDE_EFFECTS__ */
export function fileStream(mediaType: string) {
  const schema = z.custom<FileStream>()
  declareFile(schema, {
    mediaType,
    read: (response) => ({
      name: fileName(response),
      content: response.body ?? new Blob().stream(),
    }),
  })
  return schema
}
