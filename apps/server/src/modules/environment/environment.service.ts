import {
  type Environment,
  variableNameProblem,
  variableValueProblem,
} from '@slipway/contract/environment'
import type { FormMessage } from '@slipway/contract/form-messages'
import { limits } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Context, Db, Tx } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { invalid, problem } from '../../problem.ts'
import { variableColumn } from './environment.sealed.ts'
import * as store from './environment.store.ts'

export type EnvironmentChange = {
  /** The values of variables to add or replace, by name. */
  set: Readonly<Record<string, string>>
  /** The names of variables to remove; others are ignored. */
  remove: readonly string[]
}

/** The names that a change has set to another value, and those that it has removed. */
export type ChangedNames = { set: string[]; removed: string[] }

/** The names of a project's variables. The caller has checked that its user may see the project. */
export async function list(db: Db, projectId: ProjectId): Promise<Environment> {
  const variables = await store.list(db, projectId)
  return {
    variables: variables.map(({ name, updatedAt }) => ({
      name,
      updatedAt: updatedAt.toISOString(),
    })),
  }
}

const openValue = (ctx: Pick<Context, 'sealing'>, { id, sealed }: store.Variable) =>
  variableColumn.open(ctx.sealing, id, sealed).toString()

/** The environment of a project's site, with the opened values. It never leaves the server. */
export async function valuesOf(
  ctx: Pick<Context, 'db' | 'sealing'>,
  projectId: ProjectId,
): Promise<Record<string, string>> {
  const variables = await store.list(ctx.db, projectId)
  return Object.fromEntries(variables.map((variable) => [variable.name, openValue(ctx, variable)]))
}

/** Throws `validation_error` with a message for each name that is not accepted. */
function check(set: EnvironmentChange['set']) {
  const problems = Object.entries(set).flatMap(([name, value]): [string, FormMessage][] => {
    const message = variableNameProblem(name) ?? variableValueProblem(value)
    return message ? [[name.slice(0, limits.variableNameMax), message]] : []
  })
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
}

const sizeOf = (name: string, value: string) => Buffer.byteLength(name) + Buffer.byteLength(value)

/**
 * Sets and removes variables of a locked project, in the caller's transaction. A variable that is
 * both set and removed is set; one that has its value already is left as it is. Throws
 * `validation_error` and `variable_limit_reached`.
 */
export async function change(
  ctx: Pick<Context, 'clock' | 'sealing'>,
  tx: Tx,
  projectId: ProjectId,
  { set, remove }: EnvironmentChange,
): Promise<ChangedNames> {
  check(set)
  const before = await store.list(tx, projectId)
  const removed = before
    .map(({ name }) => name)
    .filter((name) => remove.includes(name) && !Object.hasOwn(set, name))
  const isEqual = (variable: store.Variable) => set[variable.name] === openValue(ctx, variable)
  const equalNames = new Set(before.filter(isEqual).map(({ name }) => name))
  const changed = Object.entries(set).filter(([name]) => !equalNames.has(name))
  const changedNames = changed.map(([name]) => name)
  const replacedOrRemoved = new Set([...changedNames, ...removed])
  const unchanged = before.filter(({ name }) => !replacedOrRemoved.has(name))
  const added = changed.map(([name, value]) => {
    const id = newId<'Variable'>()
    const sealed = variableColumn.seal(ctx.sealing, id, value)
    return { id, projectId, name, sealed, bytes: sizeOf(name, value), updatedAt: ctx.clock.now() }
  })
  const all = [...unchanged, ...added]
  const bytes = all.reduce((sum, variable) => sum + variable.bytes, 0)
  const isOverLimit =
    all.length > limits.variablesPerProject || bytes > serviceLimits.variablesBytes
  if (added.length > 0 && isOverLimit) throw problem('variable_limit_reached')
  await store.remove(tx, projectId, [...replacedOrRemoved])
  await store.insert(tx, added)
  return { set: changedNames, removed }
}

/** Deletes the variables of a project that is being deleted. */
export async function removeAll(tx: Tx, projectId: ProjectId): Promise<void> {
  await store.removeAll(tx, projectId)
}
