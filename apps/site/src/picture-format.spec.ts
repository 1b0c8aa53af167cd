import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { withoutMetadata } from './browser/jpeg.ts'
import { inspectPicture } from './picture-format.ts'
import { chunk, jpeg, losslessFrame, segment, webp, webpOf } from './pictures.fixture.ts'

const exif = segment(0xe1, Buffer.from('Exif\0\0MM\0*GPS'))
const script = Buffer.from('<script>alert(1)</script>')

describe('inspectPicture', () => {
  it('reads the size of a WebP and of a JPEG from their bytes', () => {
    expect(inspectPicture(webp(1920, 1080))).toEqual({ type: 'webp', width: 1920, height: 1080 })
    expect(inspectPicture(jpeg(640, 480))).toEqual({ type: 'jpg', width: 640, height: 480 })
  })

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['GIF', Buffer.from('GIF89a/*a*/=alert(1)//')],
    ['compressed data', deflateSync(Buffer.alloc(1000))],
    ['nothing', Buffer.alloc(0)],
    ['a WebP followed by HTML', Buffer.concat([webp(10, 10), script])],
    ['a WebP whose length hides HTML', webpOf(losslessFrame(10, 10), chunk('HTML', script))],
    ['a WebP with Exif', webpOf(losslessFrame(10, 10), chunk('EXIF', script))],
    ['a WebP with XMP', webpOf(losslessFrame(10, 10), chunk('XMP ', script))],
    ['an animated WebP', webpOf(chunk('ANIM', Buffer.alloc(6)), losslessFrame(10, 10))],
    ['a WebP with two frames', webpOf(losslessFrame(10, 10), losslessFrame(10, 10))],
    ['a WebP without a frame', webpOf(chunk('VP8X', Buffer.alloc(10)))],
    ['a WebP that ends early', webp(10, 10).subarray(0, 20)],
    ['a WebP of two sizes', webpOf(chunk('VP8X', Buffer.alloc(10)), losslessFrame(10, 10))],
    ['a JPEG with Exif', jpeg(10, 10, exif)],
    ['a JPEG with a comment', jpeg(10, 10, segment(0xfe, script))],
    ['a JPEG followed by HTML', Buffer.concat([jpeg(10, 10), script])],
    ['a JPEG that ends early', jpeg(10, 10).subarray(0, -2)],
    ['a JPEG with two sizes', jpeg(10, 10, segment(0xc0, Buffer.alloc(15)))],
  ])('rejects %s', (_what, bytes) => {
    expect(inspectPicture(bytes)).toBeNull()
  })

  it('rejects every beginning of a picture', () => {
    for (const picture of [webp(10, 10), jpeg(10, 10)])
      for (let length = 0; length < picture.length; length += 1)
        expect(inspectPicture(picture.subarray(0, length))).toBeNull()
  })
})

describe('withoutMetadata', () => {
  it('removes Exif and comments, and nothing else', () => {
    const bytes = jpeg(10, 10, exif, segment(0xed, script), segment(0xfe, script))
    const stripped = withoutMetadata(new Uint8Array(bytes))
    expect(Buffer.from(stripped)).toEqual(jpeg(10, 10))
  })
})
