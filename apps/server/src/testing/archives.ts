import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type AsyncZippableFile, unzipSync, zipSync } from 'fflate'
import { type Header, pack } from 'tar-stream'

/** The files of an archive by their names: a text, bytes, or a link. */
export type ArchiveFiles = Record<string, string | Uint8Array | { linkTo: string }>

const unixLink = (0o120777 << 16) >>> 0
const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

/** A zip with these files; names are stored as they are. */
export function zipOf(files: ArchiveFiles): Buffer {
  const entries = Object.entries(files).map(([name, content]): [string, AsyncZippableFile] =>
    typeof content === 'object' && 'linkTo' in content
      ? [name, [bytesOf(content.linkTo), { os: 3, attrs: unixLink }]]
      : [name, bytesOf(content)],
  )
  // The time is part of a zip: the same files make the same archive.
  const options = { mtime: new Date('2026-01-01T00:00:00') }
  return Buffer.from(zipSync(Object.fromEntries(entries) as Parameters<typeof zipSync>[0], options))
}

/** A tar.gz with these files, and with entries of other types. */
export async function tarOf(
  files: ArchiveFiles,
  others: (Pick<Header, 'name' | 'type'> & Partial<Header>)[] = [],
): Promise<Buffer> {
  const tar = pack()
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === 'object' && 'linkTo' in content)
      tar.entry({ name, type: 'symlink', linkname: content.linkTo })
    else tar.entry({ name }, Buffer.from(bytesOf(content)))
  }
  for (const header of others) tar.entry({ linkname: 'index.html', ...header })
  tar.finalize()
  return gzipSync(await buffer(tar as unknown as AsyncIterable<Buffer>))
}

export const unzip = (archive: Uint8Array): Record<string, Uint8Array> => unzipSync(archive)
