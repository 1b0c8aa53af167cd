import { isLeftOut } from '@slipway/contract/left-out'
import type { ChosenItems } from './chosen-items.ts'

/** A file that the user chose, with its path in the site. */
export type ChosenFile = { path: string; file: File }

/**
 * The files to deploy, including the files of folders. An input names files of a folder by their
 * whole path. A file that is chosen individually is deployed whatever its name.
 */
export async function filesOf(items: ChosenItems): Promise<ChosenFile[]> {
  const all = items.map(({ entry, file }) => {
    if (entry) return filesBelow(entry)
    // Not from a disk, such as an image of another page.
    return file ? [{ path: file.webkitRelativePath || file.name, file }] : []
  })
  const files = (await Promise.all(all)).flat()
  return files.filter(({ path }) => !path.includes('/') || !isLeftOut(path))
}

async function filesBelow(entry: FileSystemEntry): Promise<ChosenFile[]> {
  const path = entry.fullPath.replace(/^\//, '')
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      ;(entry as FileSystemFileEntry).file(resolve, reject)
    })
    return [{ path, file }]
  }
  // A folder of packages may have more files than the site.
  if (isLeftOut(path)) return []
  const children = await readFolder((entry as FileSystemDirectoryEntry).createReader())
  return (await Promise.all(children.map(filesBelow))).flat()
}

/** A reader gives at most a hundred entries at a time, and none at the end. */
async function readFolder(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const entries: FileSystemEntry[] = []
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (batch.length === 0) return entries
    entries.push(...batch)
  }
}

/** What the user sees of the chosen files. */
export type ChosenFiles = {
  /** The name of the only file, or of the folder with all files; null for files of no folder. */
  name: string | null
  count: number
  bytes: number
}

export function describeFiles(files: readonly ChosenFile[]): ChosenFiles {
  const folderOf = ({ path }: ChosenFile) => path.split('/').slice(0, -1)[0] ?? null
  const [first] = files
  const folder = first ? folderOf(first) : null
  return {
    name:
      files.length === 1 && first
        ? first.file.name
        : files.every((file) => folderOf(file) === folder)
          ? folder
          : null,
    count: files.length,
    bytes: files.reduce((sum, { file }) => sum + file.size, 0),
  }
}

/** The media type of an archive that is uploaded as it is; undefined for files to be packed. */
export function archiveType(files: readonly ChosenFile[]): string | undefined {
  const [only, ...others] = files
  if (!only || others.length > 0) return undefined
  if (/\.zip$/i.test(only.file.name)) return 'application/zip'
  return /\.(?:tgz|tar\.gz)$/i.test(only.file.name) ? 'application/gzip' : undefined
}
