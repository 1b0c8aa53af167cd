import { Readable } from 'node:stream'
import { createArtifactStore } from '../../../../../artifacts/artifact-store.ts'
import { type ArchiveFiles, zipOf } from '../../../../../testing/archives.ts'

const limits = { archiveBytes: 1e8, unpackedBytes: 1e9, files: 50_000 }

/** Stores files as an unpacked artifact and returns its digest. */
export async function artifactOf({ dataDir }: { dataDir: string }, files: ArchiveFiles) {
  const store = createArtifactStore(dataDir, limits)
  const { digest } = await store.receive(Readable.from([zipOf(files)]))
  await store.unpack(digest)
  return digest
}

/** A program that responds with the value of an expression. */
export const serverOf = (expression: string, before = '') =>
  `${before}
   require('node:http').createServer(async (request, response) => {
     try { response.end(String(${expression})) } catch (error) { response.end('failed: ' + (error.code ?? error.message)) }
   }).listen(process.env.PORT)`
