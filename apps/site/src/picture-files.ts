import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from './atomic-file.ts'
import { pictureFileName } from './picture-address.ts'
import type { Picture, Website } from './website.ts'

export type StoredPictureFile = { name: string; type: 'image/webp' | 'image/jpeg' }

/** The folder with the files of the pictures. */
export type PictureFiles = {
  /** A file by its public name; null when no picture has it. */
  find(website: Website, name: string): StoredPictureFile | null
  /** Null when the file is missing. */
  read(name: string): Promise<Buffer | null>
  /** Writes the files of a picture, in the order of `picture.files`. */
  write(picture: Picture, contents: readonly Buffer[]): Promise<void>
  remove(picture: Picture): Promise<void>
  /** Removes files that belong to no picture: a process killed during an upload leaves them. */
  removeLeftovers(website: Website): Promise<void>
}

/** Longer than an upload takes: another process of the site may be receiving one. */
const leftoverAgeMs = 60 * 60 * 1000

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

export const openPictureFiles = (data: string): PictureFiles => {
  const folder = join(data, 'pictures')
  return {
    find({ pictures }, name) {
      for (const picture of pictures) {
        const file = picture.files.find((size) => pictureFileName(picture, size) === name)
        if (file) return { name, type: file.type === 'webp' ? 'image/webp' : 'image/jpeg' }
      }
      return null
    },
    async read(name) {
      try {
        return await readFile(join(folder, name))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async write(picture, contents) {
      await mkdir(folder, { recursive: true })
      for (const [index, file] of picture.files.entries()) {
        const content = contents[index]
        if (content) await writeFileAtomic(join(folder, pictureFileName(picture, file)), content)
      }
    },
    async remove(picture) {
      for (const file of picture.files)
        await rm(join(folder, pictureFileName(picture, file)), { force: true })
    },
    async removeLeftovers({ pictures }) {
      const shown = new Set(
        pictures.flatMap((picture) => picture.files.map((file) => pictureFileName(picture, file))),
      )
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) return []
        throw error
      })
      for (const name of names) {
        if (shown.has(name)) continue
        const file = join(folder, name)
        const { mtimeMs } = await stat(file)
        if (mtimeMs < Date.now() - leftoverAgeMs) await rm(file, { force: true })
      }
    },
  }
}
