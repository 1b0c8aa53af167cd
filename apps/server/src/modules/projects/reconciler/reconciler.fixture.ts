import type { ProjectId } from '@slipway/contract/projects'
import type { Context } from '../../../context.ts'
import { reconcile } from './reconciler.ts'

/** Reconciles a project until it is settled, without a timeout. */
export const settle = (ctx: Context, id: ProjectId) =>
  reconcile(ctx, id, { timeout: Number.POSITIVE_INFINITY })
