import type { App } from '../app.ts'
import { billingMoments } from './demo.billing.ts'
import { projectMoments } from './demo.projects.ts'
import { createStage, type Moment, type StoryClock } from './demo.stage.ts'
import { teamMoments } from './demo.teams.ts'
import { ticketMoments } from './demo.tickets.ts'

/** What has happened up to now, the oldest first. */
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
 * Fills an empty service with an example: what people did in the last months, each by the same calls that
 * the console makes, at its time. The app must neither work through jobs nor host sites, and ask this clock.
 */
export async function tell(app: App, clock: StoryClock, now: Date): Promise<void> {
  const stage = createStage(app, clock)
  for (const { at, happens } of momentsUntil(now)) {
    // What took longer than it should is not undone: time goes on.
    if (at > clock.now()) clock.moveTo(at)
    await happens(stage)
  }
}
