/** JFIF, color profile, Adobe: all application segments that the picture needs. */
const neededSegments = new Set([0xe0, 0xe2, 0xee])

const isMetadata = (marker: number) =>
  ((marker & 0xf0) === 0xe0 && !neededSegments.has(marker)) || marker === 0xfe

/**
 * A JPEG without Exif, XMP, IPTC and comments (ITU-T T.81, annex B). Safari writes Exif even into
 * the pictures of a canvas.
 */
export const withoutMetadata = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const parts = [bytes.subarray(0, 2)]
  let segmentStart = 2
  while (
    segmentStart + 4 <= bytes.length &&
    bytes[segmentStart] === 0xff &&
    bytes[segmentStart + 1] !== 0xda
  ) {
    const end =
      segmentStart + 2 + (((bytes[segmentStart + 2] ?? 0) << 8) | (bytes[segmentStart + 3] ?? 0))
    if (!isMetadata(bytes[segmentStart + 1] ?? 0)) parts.push(bytes.subarray(segmentStart, end))
    segmentStart = end
  }
  parts.push(bytes.subarray(segmentStart))
  const stripped = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let position = 0
  for (const part of parts) {
    stripped.set(part, position)
    position += part.length
  }
  return stripped
}
