import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@slipway/contract/client'
import { minute, second } from '@slipway/contract/limits'
import {
  getProjectMove,
  type MoveFailure,
  type MoveObstacle,
  type MoveStep,
  moveObstacles,
  type ProjectMove,
  startProjectMove,
} from '@slipway/contract/project-moves'
import { type Locale, m } from '@slipway/phrases'
import { CommandError, isApiError } from '@slipway/terminal/command-error'
import { oneLine } from '@slipway/terminal/text'

/** Longer than a move may take until it fails. */
const maxMoveTime = 40 * minute

type Names = { key: string; source: string; target: string }
type Phrase = (names: Names, options: { locale: Locale }) => string

const steps: Record<MoveStep, Phrase> = {
  check: m.operator_move_step_check,
  stop: m.operator_move_step_stop,
  export: m.operator_move_step_export,
  import: m.operator_move_step_import,
  start: m.operator_move_step_start,
  clean: m.operator_move_step_clean,
  restore: m.operator_move_step_restore,
  discard: m.operator_move_step_discard,
}

const failures: Record<MoveFailure, Phrase> = {
  source_unreachable: m.operator_move_source_unreachable,
  target_unreachable: m.operator_move_target_unreachable,
  runtime_not_available: m.operator_move_runtime_not_available,
  release_not_supported: m.operator_move_release_not_supported,
  no_room: m.operator_move_no_room,
  unhealthy: m.operator_move_unhealthy,
  timed_out: m.operator_move_timed_out,
  project_deleted: m.operator_move_project_deleted,
  engine_failed: m.operator_move_engine_failed,
}

const obstacles: Record<MoveObstacle, Phrase> = {
  same_cluster: m.operator_move_same_cluster,
  other_region: m.operator_move_other_region,
  not_ready: m.operator_move_not_ready,
  in_progress: m.operator_move_in_progress,
  backup: m.operator_move_backup,
  runtime_not_available: m.operator_move_runtime_not_available,
  closed: m.operator_move_closed,
  full: m.operator_move_no_room,
  unreachable: m.operator_move_target_unreachable,
}

/** Why a move waits, or has failed. */
function reasonOf(move: ProjectMove, locale: Locale): string {
  if (move.failure === null) return ''
  const sentence = failures[move.failure](move, { locale })
  return move.detail === null ? sentence : `${sentence} (${oneLine(move.detail)})`
}

async function start(
  call: Client,
  { key, target }: Pick<Names, 'key' | 'target'>,
  locale: Locale,
): Promise<ProjectMove> {
  try {
    return await call(startProjectMove, { params: { key }, body: { cluster: target } })
  } catch (error) {
    if (isApiError(error, 'item_not_found'))
      throw new CommandError(m.operator_cluster_unknown({ name: target }, { locale }), {
        cause: error,
      })
    const obstacle = isApiError(error, 'move_not_possible')
      ? moveObstacles.find((each) => each === error.context)
      : undefined
    if (!obstacle) throw error
    const message = obstacles[obstacle]({ key, source: '', target }, { locale })
    throw new CommandError(message, { cause: error })
  }
}

/**
 * Moves a project to another cluster and waits until it is there, or has failed. `print` gets a
 * line for each step.
 */
export async function moveProject(
  call: Client,
  names: Pick<Names, 'key' | 'target'>,
  locale: Locale,
  print: (line: string) => void,
): Promise<ProjectMove> {
  const deadline = performance.now() + maxMoveTime
  let printed = ''
  let move = await start(call, names, locale)
  for (;;) {
    const isWaiting = move.failure === 'source_unreachable'
    const line = isWaiting
      ? m.operator_move_waits({ reason: reasonOf(move, locale) }, { locale })
      : steps[move.step](move, { locale })
    if (line !== printed) print(line)
    printed = line
    if (move.state !== 'running') return move
    if (performance.now() > deadline)
      throw new CommandError(m.operator_move_no_worker({}, { locale }))
    await sleep(second)
    move = await call(getProjectMove, { params: { key: names.key } })
  }
}

/** How a move has ended. */
export function moveResult(move: ProjectMove, locale: Locale): string {
  if (move.state === 'done') return m.operator_move_done(move, { locale })
  const reason = reasonOf(move, locale)
  if (move.failure === 'project_deleted') return reason
  return m.operator_move_failed({ ...move, reason }, { locale })
}
