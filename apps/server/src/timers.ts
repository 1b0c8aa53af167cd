import type { Context } from './context.ts'
import type { Timer } from './jobs.ts'

/** Runs the modules' timers, each again `every` milliseconds after it ended. */
export function createTimers(ctx: Pick<Context, 'forJobs' | 'log' | 'stopping'>, timers: Timer[]) {
  const running = new Set<Promise<void>>()
  const waiting = new Map<string, NodeJS.Timeout>()

  function run(timer: Timer, isFirst: boolean) {
    const work = timer
      .run(ctx.forJobs(), isFirst)
      .then(
        () => false,
        (err: unknown) => {
          ctx.log.error({ err, timer: timer.name }, 'a timer failed')
          return isFirst
        },
      )
      .then((isNextFirst) => {
        running.delete(work)
        if (!ctx.stopping.aborted)
          waiting.set(
            timer.name,
            setTimeout(() => run(timer, isNextFirst), timer.every),
          )
      })
    running.add(work)
  }

  return {
    start() {
      for (const timer of timers) run(timer, true)
    },
    async stop() {
      for (const timeout of waiting.values()) clearTimeout(timeout)
      await Promise.all(running)
    },
  }
}
