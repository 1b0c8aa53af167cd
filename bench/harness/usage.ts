import { nextMessage, type RunningProcess } from './child-process.ts'

/** Reads the usage of a process that has preloaded the probe. */
export const readUsage = (processHandle: RunningProcess) => ({
  /** The memory after a garbage collection. */
  async memory() {
    processHandle.child.send('memory')
    return nextMessage<NodeJS.MemoryUsage>(processHandle)
  },
  /** Milliseconds of processor time since the start. */
  async processor() {
    processHandle.child.send('processor')
    return nextMessage<number>(processHandle)
  },
})
