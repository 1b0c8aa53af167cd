import { nextMessage, type Program } from './child-process.ts'

/** What a program that has the probe in it has used. */
export const usageOf = (program: Program) => ({
  /** What it holds in memory once its garbage is collected. */
  async memory() {
    program.child.send('memory')
    return nextMessage<NodeJS.MemoryUsage>(program)
  },
  /** Milliseconds that processors have worked for it since its start. */
  async processor() {
    program.child.send('processor')
    return nextMessage<number>(program)
  },
})
