import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { ChosenFile } from './chosen-files.ts'

/** Files whose content is compressed already. */
const compressed = /\.(?:avif|gif|gz|jpe?g|mp[34]|png|webm|webp|woff2?|zip)$/i

/**
 * Packs files into a zip, a chunk at a time: the page stays responsive and the memory holds only
 * the archive. (The workers of fflate are blobs, which the page's policy blocks.) `onProgress` gets
 * the share that is packed, from 0 to 1.
 */
export async function packFiles(
  files: readonly ChosenFile[],
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const total = files.reduce((sum, { file }) => sum + file.size, 0)
  let packed = 0

  const finished = Promise.withResolvers<void>()
  const zip = new Zip((error, chunk, isLast) => {
    if (error) return finished.reject(error)
    chunks.push(chunk as Uint8Array<ArrayBuffer>)
    if (isLast) finished.resolve()
  })
  for (const { path, file } of files) {
    signal.throwIfAborted()
    const entry = compressed.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path)
    zip.add(entry)
    for await (const chunk of file.stream()) {
      signal.throwIfAborted()
      entry.push(chunk)
      packed += chunk.length
      onProgress(total > 0 ? packed / total : 1)
    }
    entry.push(new Uint8Array(), true)
  }
  zip.end()
  await finished.promise
  return new Blob(chunks, { type: 'application/zip' })
}
