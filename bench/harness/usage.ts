import { nextMessage, type RunningProcess } from './child-process.ts'

/** Reads the usage of a process that has preloaded the probe. */
export const readUsage = (program: RunningProcess) => ({
  /** The memory after a garbage collection. */
  async memory() {
    program.child.send('memory')
    return nextMessage<NodeJS.MemoryUsage>(program)
  },
  /** Milliseconds of processor time since the start. */
  async processor() {
    program.child.send('processor')
    return nextMessage<number>(program)
  },
})
