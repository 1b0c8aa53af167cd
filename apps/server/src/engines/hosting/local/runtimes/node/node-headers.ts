import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const versionParts = ['MAJOR', 'MINOR', 'PATCH']

/**
 * The folder `include/node` beside the server's Node, with the headers that the native code of
 * packages needs. Null when the folder is missing or belongs to another version.
 */
export async function findNodeHeaders(execPath = process.execPath): Promise<string | null> {
  const folder = join(dirname(dirname(execPath)), 'include/node')
  const text = await readFile(join(folder, 'node_version.h'), 'utf8').catch(() => '')
  const parts = versionParts.map((name) => text.match(`#define NODE_${name}_VERSION (\\d+)`)?.[1])
  return parts.join('.') === process.versions.node ? folder : null
}
