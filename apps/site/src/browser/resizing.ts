import { withoutMetadata } from './jpeg.ts'

const widths = [480, 960, 1920]
const maxHeight = 4096
const quality = 0.82

/**
 * The widths to store a picture in: all of `widths` that are smaller than it, and its own, limited.
 */
const widthsOf = (width: number, height: number): number[] => {
  const largest = Math.min(width, widths.at(-1) ?? width, Math.floor((width * maxHeight) / height))
  return [...widths.filter((each) => each < largest), Math.max(largest, 1)]
}

const draw = (bitmap: ImageBitmap, width: number, background: string | null) => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = Math.max(Math.round((bitmap.height * width) / bitmap.width), 1)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser has no canvas')
  context.imageSmoothingQuality = 'high'
  if (background) {
    context.fillStyle = background
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return canvas
}

const encode = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob>((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be encoded'))),
      type,
      quality,
    ),
  )

/**
 * The picture of a file in several widths, as WebP, or as JPEG in a browser that cannot write WebP.
 * It is redrawn, so no metadata of the file is left. Rejects when the browser cannot read it.
 */
export const resize = async (file: File): Promise<Blob[]> => {
  const bitmap = await createImageBitmap(file)
  try {
    const blobs: Blob[] = []
    for (const width of widthsOf(bitmap.width, bitmap.height)) {
      const webp = await encode(draw(bitmap, width, null), 'image/webp')
      if (webp.type === 'image/webp') blobs.push(webp)
      else {
        // JPEG has no transparency.
        const jpeg = await encode(draw(bitmap, width, '#ffffff'), 'image/jpeg')
        blobs.push(new Blob([withoutMetadata(new Uint8Array(await jpeg.arrayBuffer()))]))
      }
    }
    return blobs
  } finally {
    bitmap.close()
  }
}
