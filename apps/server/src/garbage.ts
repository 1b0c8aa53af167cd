import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects garbage once, and gives back what the heap no longer needs. Loading the program grows the young
 * generation to its full size and leaves up to 40 MB of garbage, which an idle server would keep: nothing is
 * due to collect it. After any later load V8 does the same by itself. Node has no other way to ask than this
 * flag.
 */
export function collectGarbage() {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  // Only the last resort shrinks the young generation, too.
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' })
}
