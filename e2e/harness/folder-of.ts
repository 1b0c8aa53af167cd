import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export async function writeFiles(folder: string, files: Record<string, string | Uint8Array>) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

/** A new folder on the disk with these files. */
export async function folderOf(files: Record<string, string | Uint8Array>) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-site-'))
  await writeFiles(folder, files)
  return folder
}
