import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects garbage once. Loading the program leaves up to 40 MB of it, which an idle server would keep:
 * nothing is due to collect it. Node has no other way to ask than this flag.
 */
export function collectGarbage() {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
