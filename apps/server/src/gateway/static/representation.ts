import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import mime from 'mime'
import type { ArtifactFiles } from '../../artifacts/artifact-layout.ts'
import { compressedName } from '../../artifacts/compress.ts'
import { type Encoding, encodings, type ManifestFile } from '../../artifacts/manifest.ts'
import { type ByteRange, parseRange } from './byte-range.ts'

export type Representation = {
  status: number
  headers: OutgoingHttpHeaders
  body: { path: string; size: number; range: ByteRange | null } | null
}

/**
 * Chooses the whole file, a compressed copy, a range of it or no body (RFC 9110 §8.4, §13, §14).
 * `status` is the whole file's; conditions and ranges apply to 200 only.
 */
export function represent(
  { headers: requested }: IncomingMessage,
  file: ManifestFile & { name: string },
  status: number,
  files: ArtifactFiles,
): Representation {
  const isWhole = status !== 200 || requested.range === undefined
  const encoding = isWhole ? chooseEncoding(requested['accept-encoding'], file) : undefined
  const etag = `"${file.digest.slice(0, 32)}${encoding ? `-${encoding}` : ''}"`
  const headers: OutgoingHttpHeaders = {
    etag,
    ...(Object.keys(file.encodings).length > 0 ? { vary: 'Accept-Encoding' } : {}),
  }
  if (status === 200 && matchesEtag(requested['if-none-match'], etag))
    return { status: 304, headers, body: null }

  // RFC 9110 §13.1.5: the range is ignored if the file has changed.
  const isRangeValid = requested['if-range'] === undefined || requested['if-range'] === etag
  const range = !isWhole && isRangeValid ? parseRange(requested.range, file.size) : null
  if (range === 'unsatisfiable')
    return { status: 416, headers: { 'content-range': `bytes */${file.size}` }, body: null }

  const path = encoding
    ? join(files.compressed, compressedName(file.name, encoding))
    : join(files.files, file.name)
  const size = encoding ? (file.encodings[encoding] ?? 0) : file.size
  return {
    status: range ? 206 : status,
    headers: {
      ...headers,
      'accept-ranges': 'bytes',
      'content-type': contentType(file.name),
      'content-length': range ? range.end - range.start + 1 : size,
      ...(encoding ? { 'content-encoding': encoding } : {}),
      ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
    },
    body: { path, size, range },
  }
}

const textTypes = /^text\/|[/+](?:json|xml|javascript)$/

export function contentType(path: string) {
  const type = mime.getType(path) ?? 'application/octet-stream'
  return textTypes.test(type) ? `${type}; charset=utf-8` : type
}

/** The weight of a content coding in Accept-Encoding; 0 unless it is accepted by name. */
function weightOf(encoding: Encoding, accepted: string) {
  for (const item of accepted.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    if (name !== encoding) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  }
  return 0
}

/** The first of our codings that the client accepts (RFC 9110 §12.5.3). */
const chooseEncoding = (accepted: string | undefined, file: ManifestFile) =>
  accepted === undefined
    ? undefined
    : encodings.find(
        (encoding) => file.encodings[encoding] !== undefined && weightOf(encoding, accepted) > 0,
      )

/** RFC 9110 §13.1.2: a weak comparison, in which `*` matches every file. */
const matchesEtag = (header: string | undefined, etag: string) =>
  header !== undefined &&
  (header.trim() === '*' ||
    header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))
