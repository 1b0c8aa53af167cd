import { minute, second } from '@slipway/contract/limits'
import { type Project, projectSteps } from '@slipway/contract/projects'
import {
  projectCreations,
  type StepRecord,
} from '../../apps/server/src/modules/projects/projects.schema.ts'
import type { TestDatabase } from '../harness/database.ts'

type ExampleProject = Pick<Project, 'id' | 'state' | 'failure'> & { createdAt: Date }

/** The duration of each step in milliseconds. */
const stepDurations = [80, 640, 310, 450]
/** The index of the current step by state; other states have finished all steps. */
const currentStep: Partial<Record<Project['state'], number>> = {
  pending: 0,
  creating: 2,
  failed_creating: 3,
}

function stepsOf({ state, failure, createdAt }: ExampleProject): StepRecord[] {
  const last = currentStep[state] ?? projectSteps.length
  let time = createdAt.getTime()
  return projectSteps.map((step, index) => {
    if (index > last) return { step, startedAt: null, finishedAt: null, failure: null }
    const startedAt = new Date(time).toISOString()
    time += index === last && failure ? 5 * minute : (stepDurations[index] ?? second)
    const isDone = index < last || failure !== null
    return {
      step,
      startedAt,
      finishedAt: isDone ? new Date(time).toISOString() : null,
      failure: index === last ? failure : null,
    }
  })
}

/** Inserts the progress of an example's creation. */
export const insertProgress = ({ db }: TestDatabase, project: ExampleProject) =>
  db.insert(projectCreations).values({ projectId: project.id, attempt: 1, steps: stepsOf(project) })
