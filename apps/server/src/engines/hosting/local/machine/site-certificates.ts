import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { writeFileAtomic } from '../files/atomic-file.ts'
import type { Layout } from '../files/layout.ts'

/** Files of root certificates in PEM, which the sites' users can read. */
export type SiteCertificates = {
  /** The certificates that the operator adds to the machine's. */
  added: string
  /** The machine's certificates and the added ones, for PHP, which reads a single file. */
  all: string
}

/** The path of these files in a sandbox. */
export const insideCertificates = {
  added: '/runtime/certificates/added.pem',
  all: '/runtime/certificates/all.pem',
}

/** `NODE_EXTRA_CA_CERTS` for programs of Node; nothing without such certificates. */
export const certificatesEnv = (file: string | undefined): Record<string, string> =>
  file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file }

/**
 * Copies the operator's certificates (`NODE_EXTRA_CA_CERTS`) for the sites. The name of the folder
 * is a digest of them, so that a change makes new launches. Throws if the file cannot be read.
 */
export async function prepareCertificates(
  layout: Layout,
  source: string,
): Promise<SiteCertificates> {
  const added = await readFile(source, 'utf8').catch((cause: Error) => {
    throw new Error(`NODE_EXTRA_CA_CERTS cannot be read: ${cause.message}`, { cause })
  })
  const system = getCACertificates('system')
  const machine = system.length > 0 ? system : getCACertificates('bundled')
  const all = [...machine, added].join('\n')
  const base = join(layout.root, 'certificates')
  const folder = join(base, createHash('sha256').update(all).digest('hex').slice(0, 16))
  const files = { added: join(folder, 'added.pem'), all: join(folder, 'all.pem') }
  await mkdir(folder, { recursive: true })
  for (const path of [base, folder]) await chmod(path, 0o711)
  for (const [path, content] of [
    [files.added, added],
    [files.all, all],
  ] as const)
    if (!existsSync(path)) await writeFileAtomic(path, content, { mode: 0o644 })
  return files
}
