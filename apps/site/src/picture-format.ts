/** The format and size of a picture, by its bytes. */
export type PictureFormat = { type: 'webp' | 'jpg'; width: number; height: number }

/** The chunks of a still WebP without metadata (RFC 9649). */
const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP'])

const webpSize = (kind: string, chunk: Buffer): [width: number, height: number] | null => {
  if (kind === 'VP8X' && chunk.length >= 10) {
    return [chunk.readUIntLE(4, 3) + 1, chunk.readUIntLE(7, 3) + 1]
  }
  if (kind === 'VP8L' && chunk.length >= 5 && chunk[0] === 0x2f) {
    const bits = chunk.readUInt32LE(1)
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
  }
  // A key frame with its start code (RFC 6386 §9.1).
  if (kind === 'VP8 ' && chunk.length >= 10 && chunk.readUIntBE(3, 3) === 0x9d012a) {
    return [chunk.readUInt16LE(6) & 0x3fff, chunk.readUInt16LE(8) & 0x3fff]
  }
  return null
}

const inspectWebp = (bytes: Buffer): PictureFormat | null => {
  if (bytes.length < 20 || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  // Nothing follows the picture.
  if (bytes.readUInt32LE(4) !== bytes.length - 8) return null
  let size: [number, number] | null = null
  let hasFrame = false
  for (let offset = 12; offset < bytes.length; ) {
    if (offset + 8 > bytes.length) return null
    const kind = bytes.toString('latin1', offset, offset + 4)
    const length = bytes.readUInt32LE(offset + 4)
    const end = offset + 8 + length
    if (end > bytes.length || !webpChunks.has(kind)) return null
    if (kind === 'VP8 ' || kind === 'VP8L' || kind === 'VP8X') {
      const frameSize = webpSize(kind, bytes.subarray(offset + 8, end))
      if (!frameSize || (size && (size[0] !== frameSize[0] || size[1] !== frameSize[1])))
        return null
      size = frameSize
      if (hasFrame) return null
      hasFrame = kind !== 'VP8X'
    }
    offset = end + (length % 2)
  }
  return size && hasFrame ? { type: 'webp', width: size[0], height: size[1] } : null
}

const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xc2
/** Tables and what browsers write: JFIF, color profile, Adobe. No Exif, XMP, IPTC or comments. */
const jpegSegments = new Set([0xc4, 0xdb, 0xdd, 0xe0, 0xe2, 0xee])

/** The position after the entropy-coded data of a scan. */
const endOfScan = (bytes: Buffer, start: number): number => {
  for (let offset = start; offset + 1 < bytes.length; offset += 1) {
    if (bytes[offset] !== 0xff) continue
    const next = bytes[offset + 1] ?? 0
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return offset
  }
  return -1
}

/** Baseline and progressive JPEG (ITU-T T.81, annex B). */
const inspectJpeg = (bytes: Buffer): PictureFormat | null => {
  let size: [number, number] | null = null
  let hasScan = false
  let offset = 2
  while (offset + 4 <= bytes.length) {
    if (bytes[offset] !== 0xff) return null
    const marker = bytes[offset + 1] ?? 0
    const length = bytes.readUInt16BE(offset + 2)
    const end = offset + 2 + length
    if (length < 2 || end > bytes.length) return null
    if (isFrameHeader(marker)) {
      if (size || length < 8) return null
      size = [bytes.readUInt16BE(offset + 7), bytes.readUInt16BE(offset + 5)]
    }
    if (marker === 0xda) {
      hasScan = true
      offset = endOfScan(bytes, end)
      if (offset < 0) return null
      // Nothing follows the picture.
      if (bytes[offset + 1] === 0xd9) {
        if (offset + 2 !== bytes.length || !size || !hasScan) return null
        return { type: 'jpg', width: size[0], height: size[1] }
      }
      continue
    }
    if (!isFrameHeader(marker) && !jpegSegments.has(marker)) return null
    offset = end
  }
  return null
}

/**
 * The format of a picture as browsers write it: a still WebP or a JPEG, complete, without metadata
 * and with nothing after it. Null for anything else, whatever it is called.
 */
export const inspectPicture = (bytes: Buffer): PictureFormat | null => {
  if (bytes.length > 12 && bytes.toString('latin1', 0, 4) === 'RIFF') return inspectWebp(bytes)
  if (bytes.length > 12 && bytes.readUInt16BE(0) === 0xffd8) return inspectJpeg(bytes)
  return null
}
