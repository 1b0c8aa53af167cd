import type { ProjectId } from '@slipway/contract/projects'
import type { Db } from '../../../context.ts'
import { findOpen } from '../moves/project-moves.store.ts'
import * as pauses from '../pauses/pauses.store.ts'
import { instanceOf as instance } from '../projects.instance.ts'
import * as projects from '../projects.store.ts'

// What modules need that copy or replace the files of sites. They act for no user.

/** A project with its desired state. */
export type StoredProject = projects.Project

/** A project of any team; undefined for an unknown id. */
export const find = projects.findForReconciler

/** Locks a project of any team; undefined for an unknown id. */
export const lock = projects.lock

/** The desired state of a project's instance, for the engine. */
export const instanceOf = instance

/** True while the site of a project does not run because its files are copied. */
export const isPaused = pauses.isPaused

/** True while a project moves to another cluster. */
export const isMoving = async (db: Db, id: ProjectId): Promise<boolean> =>
  (await findOpen(db, id)) !== undefined
