import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/**
 * The steps of a move, in order: the target is checked, the site is stopped and its files are
 * copied, it starts in the target, requests go there, and the source is emptied. A move that fails
 * before the requests go there runs the site in the source again, and empties the target.
 */
export const moveSteps = [
  'check',
  'stop',
  'export',
  'import',
  'start',
  'clean',
  'restore',
  'discard',
] as const
export type MoveStep = (typeof moveSteps)[number]

export const moveStates = ['running', 'done', 'failed'] as const
export type MoveState = (typeof moveStates)[number]

/** Why a move waits, or has failed. */
export const moveFailures = [
  /** The cluster that the project leaves does not respond: the move waits for it. */
  'source_unreachable',
  'target_unreachable',
  'runtime_not_available',
  /** The files of the release cannot run there, for example a Node app without packages. */
  'release_not_supported',
  'no_room',
  /** The site does not start there. */
  'unhealthy',
  'timed_out',
  'project_deleted',
  'engine_failed',
] as const
export type MoveFailure = (typeof moveFailures)[number]

/** Why a move is not possible: the context of `move_not_possible`. */
export const moveObstacles = [
  'same_cluster',
  /** The cluster has the projects of another region. */
  'other_region',
  /** The project is being created, or its creation has failed. */
  'not_ready',
  'in_progress',
  /** A backup of the project is being made or restored. */
  'backup',
  'runtime_not_available',
  /** The operators have closed the cluster to new projects. */
  'closed',
  'full',
  'unreachable',
] as const
export type MoveObstacle = (typeof moveObstacles)[number]

/** The newest move of a project to another cluster. */
export const projectMove = z.object({
  key: z.string(),
  source: z.string(),
  target: z.string(),
  state: z.enum(moveStates),
  /** The step that runs or waits, or that ran last. */
  step: z.enum(moveSteps),
  /** Null unless the move waits or has failed. */
  failure: z.nullable(z.enum(moveFailures)),
  /** The message of the engine or the program, in English. */
  detail: z.nullable(z.string()),
  requestedAt: z.iso.datetime(),
  finishedAt: z.nullable(z.iso.datetime()),
})
export type ProjectMove = z.output<typeof projectMove>

const key = { key: z.string().check(z.maxLength(limits.domainMax)) }

export const startProjectMove = endpoint('POST /operator/project/move/:key', {
  summary: 'Move a project to another cluster of its region, in the background',
  access: 'operator',
  params: key,
  body: z.object({ cluster: z.string().check(z.maxLength(63)) }),
  response: projectMove,
  // `item_not_found`: the cluster is unknown. The context of `move_not_possible` says why.
  errors: [
    'project_not_found',
    'item_not_found',
    'cannot_update_deleted_project',
    'move_not_possible',
  ],
})

export const getProjectMove = endpoint('GET /operator/project/move/:key', {
  summary: 'Get the newest move of a project to another cluster',
  access: 'operator',
  params: key,
  response: projectMove,
  // `item_not_found`: it has never been moved.
  errors: ['project_not_found', 'item_not_found'],
})
