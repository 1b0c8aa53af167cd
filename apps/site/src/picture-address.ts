import type { Picture, PictureFile, Website } from './website.ts'

/** A stored picture as pages show it. */
export type ShownPicture = {
  /** Empty for a decorative picture. */
  alt: string
  width: number
  height: number
  /** By ascending width. */
  sources: readonly { width: number; address: string }[]
}

/** Finds a picture of this site by its id. */
export type FindPicture = (id: string) => ShownPicture | undefined

/** The prefix of picture URLs, in Markdown too: `![](/pictures/<id>)`. */
export const picturePath = '/pictures/'

/** The name of a picture's file, in the data folder and in its address. */
export const pictureFileName = ({ id }: Picture, { width, type }: PictureFile): string =>
  `${id}-${width}.${type}`

/** The public address of a picture's file. Its content never changes. */
export const pictureAddress = (picture: Picture, file: PictureFile): string =>
  picturePath + pictureFileName(picture, file)

/** A function that finds the website's pictures by id, for `renderMarkdown`. */
export const findPicture =
  ({ pictures }: Website): FindPicture =>
  (id) => {
    const picture = pictures.find((stored) => stored.id === id)
    const largest = picture?.files.at(-1)
    if (!picture || !largest) return undefined
    const { width, height } = largest
    const sources = picture.files.map((file) => ({
      width: file.width,
      address: pictureAddress(picture, file),
    }))
    return { alt: picture.alt ?? '', width, height, sources }
  }
