/** A chunk of a WebP file. */
export const chunk = (kind: string, content: Buffer): Buffer => {
  const header = Buffer.alloc(8)
  header.write(kind, 'latin1')
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)])
}

/** A WebP file of these chunks. */
export const webpOf = (...chunks: Buffer[]): Buffer => {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return chunk('RIFF', content).subarray(0, content.length + 8)
}

/** The header of a lossless frame, followed by any bytes. */
export const losslessFrame = (width: number, height: number): Buffer => {
  const content = Buffer.alloc(16)
  content[0] = 0x2f
  content.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1)
  return chunk('VP8L', content)
}

export const webp = (width: number, height: number): Buffer => webpOf(losslessFrame(width, height))

/** A segment of a JPEG file. */
export const segment = (marker: number, content: Buffer): Buffer => {
  const header = Buffer.from([0xff, marker, 0, 0])
  header.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([header, content])
}

const startOfImage = Buffer.from([0xff, 0xd8])
const endOfImage = Buffer.from([0xff, 0xd9])

/** A JPEG file with these segments before its frame. */
export const jpeg = (width: number, height: number, ...segments: Buffer[]): Buffer => {
  const frame = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const scan = Buffer.concat([
    segment(0xda, Buffer.from([3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
  ])
  const jfif = segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'))
  return Buffer.concat([startOfImage, jfif, ...segments, segment(0xc0, frame), scan, endOfImage])
}
