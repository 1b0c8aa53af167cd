import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

/** True for a SHA-256 in hexadecimal, the name of an artifact. Nothing else becomes a path. */
export const isDigest = (text: string) => /^[0-9a-f]{64}$/.test(text)

/**
 * The ending of a file in `incoming` that reserves an artifact: its name begins with the digest.
 */
const reservationEnding = '.reservation'

export const isReservationOf = (digest: string, name: string) =>
  name.startsWith(digest) && name.endsWith(reservationEnding)

const buildPrefix = 'build-'

/** True for a folder of an artifact that an engine made. */
export const isBuild = (name: string) => name.startsWith(buildPrefix)

export type ArtifactFiles = {
  folder: string
  files: string
  /** Compressed copies: `<path>.br`, `<path>.gz`. */
  compressed: string
  manifest: string
  /** Output that an engine builds from the files, such as packages; deleted with the artifact. */
  build(name: string): string
}

export type ArtifactLayout = {
  root: string
  /** Running uploads, and archives that are being unpacked. */
  incoming: string
  archive(digest: string): string
  /** A new path each time: the same files may be uploaded twice at once. */
  reservation(digest: string): string
  artifact(digest: string): ArtifactFiles
}

/** The paths of artifacts, the same in every process with this data folder. */
export function createArtifactLayout(dataDir: string): ArtifactLayout {
  const root = join(dataDir, 'artifacts')
  const incoming = join(root, 'incoming')
  const requireDigest = (digest: string) => {
    if (!isDigest(digest)) throw new Error(`not an artifact: ${JSON.stringify(digest)}`)
    return digest
  }
  return {
    root,
    incoming,
    archive: (digest) => join(root, `${requireDigest(digest)}.archive`),
    reservation: (digest) =>
      join(incoming, `${requireDigest(digest)}.${randomUUID()}${reservationEnding}`),
    artifact(digest) {
      const folder = join(root, requireDigest(digest))
      return {
        folder,
        files: join(folder, 'files'),
        compressed: join(folder, 'compressed'),
        manifest: join(folder, 'manifest.json'),
        build: (name) => join(folder, `${buildPrefix}${name}`),
      }
    },
  }
}
