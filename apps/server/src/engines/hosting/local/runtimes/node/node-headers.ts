import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const defines = ['MAJOR', 'MINOR', 'PATCH']

/**
 * The folder `include/node` beside the server's Node, with the headers by which native code of
 * packages is compiled. Null when there is none, or that of another version.
 */
export async function findNodeHeaders(execPath = process.execPath): Promise<string | null> {
  const folder = join(dirname(dirname(execPath)), 'include/node')
  const text = await readFile(join(folder, 'node_version.h'), 'utf8').catch(() => '')
  const parts = defines.map((name) => text.match(`#define NODE_${name}_VERSION (\\d+)`)?.[1])
  return parts.join('.') === process.versions.node ? folder : null
}
