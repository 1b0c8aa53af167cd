import { isLeftOut } from '@slipway/contract/left-out'

/** A file that the user chose, with its path in the site. */
export type ChosenFile = { path: string; file: File }

/** What is deployed of the files of a folder; files that are chosen one by one all are. */
const deployed = (files: ChosenFile[]) =>
  files.filter(({ path }) => !path.includes('/') || !isLeftOut(path))

/** The files of an `<input type="file">`, which names those of a folder by their whole path. */
export const filesOfInput = (files: Iterable<File>): ChosenFile[] =>
  deployed([...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })))

/** The files that were dropped, with those of dropped folders. Call it in the event's handler. */
export async function filesOfDrop(items: DataTransferItemList): Promise<ChosenFile[]> {
  // The browser clears the items after the event, so they are read at once.
  const dropped = [...items].map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }))
  const all = dropped.map(({ entry, file }) => {
    if (entry) return filesBelow(entry)
    // Not from a disk, such as an image of another page.
    return file ? [{ path: file.name, file }] : []
  })
  return deployed((await Promise.all(all)).flat())
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
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (some.length === 0) return all
    all.push(...some)
  }
}

/** The media type of an archive that is uploaded as it is; undefined for files to be packed. */
export function archiveType(files: readonly ChosenFile[]): string | undefined {
  const [only, ...others] = files
  if (!only || others.length > 0) return undefined
  if (/\.zip$/i.test(only.file.name)) return 'application/zip'
  return /\.(?:tgz|tar\.gz)$/i.test(only.file.name) ? 'application/gzip' : undefined
}
