import { day } from '@slipway/contract/limits'
import type { App } from '../app.ts'
import { billingSteps } from './demo.billing.ts'
import {
  createDemoContext,
  type DemoClock,
  type DemoContext,
  type DemoStep,
} from './demo.context.ts'
import { projectSteps } from './demo.projects.ts'
import { teamSteps } from './demo.teams.ts'
import { ticketSteps } from './demo.tickets.ts'
import { trafficSteps } from './demo.traffic.ts'
import { addWordPress, type WordPressFiles } from './demo.wordpress.ts'

/** The steps up to now, oldest first. */
function stepsUntil(now: Date, wordPress: WordPressFiles | null): DemoStep[] {
  const ago = (age: number) => new Date(now.getTime() - age)
  return [
    ...teamSteps(ago),
    ...(wordPress
      ? [{ time: ago(60 * day), run: (demo: DemoContext) => addWordPress(demo, wordPress) }]
      : []),
    ...projectSteps(ago),
    ...billingSteps(ago, now),
    ...ticketSteps(ago),
    ...trafficSteps(now),
  ].sort((first, second) => first.time.getTime() - second.time.getTime())
}

/**
 * Fills an empty service with an example of the last months, by the same requests that the console
 * sends, at their times. The app must use this clock and run neither jobs nor sites. `wordPress`:
 * null on a machine that cannot run it.
 */
export async function createHistory(
  app: App,
  clock: DemoClock,
  now: Date,
  wordPress: WordPressFiles | null = null,
): Promise<void> {
  const demo = createDemoContext(app, clock)
  for (const { time, run } of stepsUntil(now, wordPress)) {
    // A step that took longer moves the clock past the next one's time.
    if (time > clock.now()) clock.moveTo(time)
    await run(demo)
  }
}
