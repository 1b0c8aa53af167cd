import { nextMessage, type RunningProcess } from './child-process.ts'

/** Reads the usage of a process that has preloaded `usage-probe.ts`. */
export const usageReader = (processHandle: RunningProcess) => ({
  /** The memory after a garbage collection. */
  async memory() {
    processHandle.child.send('memory')
    return nextMessage<NodeJS.MemoryUsage>(processHandle)
  },
  /** The requests to an origin since the last call. */
  async requestsTo(origin: string) {
    processHandle.child.send('requests')
    return (await nextMessage<Record<string, number>>(processHandle))[origin] ?? 0
  },
  /** Milliseconds of CPU time since the start. */
  async cpuTime() {
    processHandle.child.send('cpuTime')
    return nextMessage<number>(processHandle)
  },
})
