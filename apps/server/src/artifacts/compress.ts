import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type EncodedSizes, type Encoding, encodings } from './manifest.ts'

/** A smaller response fits into one packet, compressed or not. */
const smallest = 1024
/** Larger files are rarely text, and compressing one would delay a release by seconds. */
const largest = 16 * 2 ** 20

const compressiblePath =
  /\.(?:html?|css|m?js|cjs|json|map|svg|xml|txt|md|csv|webmanifest|wasm|ico|ttf|otf|eot|atom|rss)$/i

const compressors: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  // Quality 11 is a tenth smaller and twenty times slower: too slow for a deployment.
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 6,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content) => promisify(gzip)(content, { level: 6 }),
}

export const compressedName = (path: string, encoding: Encoding) => `${path}.${encoding}`

/** True for a file whose compressed copies are likely to be smaller. */
export const isCompressible = (path: string, size: number) =>
  size >= smallest && size <= largest && compressiblePath.test(path)

/** Writes the compressed copies of a file that are smaller than it, and returns their sizes. */
export async function compressFile(content: Buffer, target: string): Promise<EncodedSizes> {
  await mkdir(dirname(target), { recursive: true })
  const sizes: EncodedSizes = {}
  const write = async (encoding: Encoding) => {
    const compressed = await compressors[encoding](content)
    if (compressed.length >= content.length) return
    await writeFile(compressedName(target, encoding), compressed)
    sizes[encoding] = compressed.length
  }
  await Promise.all(encodings.map(write))
  return sizes
}
