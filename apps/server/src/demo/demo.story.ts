import type { App } from '../app.ts'
import { billingMoments } from './demo.billing.ts'
import { projectMoments } from './demo.projects.ts'
import { createStage, type Moment, type StoryClock } from './demo.stage.ts'
import { teamMoments } from './demo.teams.ts'
import { ticketMoments } from './demo.tickets.ts'

/** The steps up to now, oldest first. */
function momentsUntil(now: Date): Moment[] {
  const ago = (age: number) => new Date(now.getTime() - age)
  return [
    ...teamMoments(ago),
    ...projectMoments(ago),
    ...billingMoments(ago, now),
    ...ticketMoments(ago),
  ].sort((one, other) => one.at.getTime() - other.at.getTime())
}

/**
 * Fills an empty service with an example of the last months, by the same requests that the console
 * sends, at their times. The app must use this clock and run neither jobs nor sites.
 */
export async function tell(app: App, clock: StoryClock, now: Date): Promise<void> {
  const stage = createStage(app, clock)
  for (const { at, happens } of momentsUntil(now)) {
    // A step that took longer moves the clock past the next one's time.
    if (at > clock.now()) clock.moveTo(at)
    await happens(stage)
  }
}
