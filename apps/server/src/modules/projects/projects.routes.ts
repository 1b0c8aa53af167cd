import { listProjectActivity } from '@slipway/contract/activity'
import {
  checkDomains,
  createDomain,
  deleteDomain,
  listDomains,
  updateDomain,
} from '@slipway/contract/domains'
import { changeEnvironment, listEnvironment } from '@slipway/contract/environment'
import {
  resumeProject,
  startProjectEmpty,
  suspendProject,
  viewOperatorProject,
} from '@slipway/contract/operator'
import { getProjectMove, startProjectMove } from '@slipway/contract/project-moves'
import {
  changeProjectDomain,
  changeProjectPower,
  createProject,
  deleteProject,
  listProjects,
  renameProject,
  restartProject,
  retryProject,
  viewProject,
} from '@slipway/contract/projects'
import { deleteRegistry, listRegistries, setRegistry } from '@slipway/contract/registries'
import type { Bind } from '../../http/binder.ts'
import * as projectDomains from './domains/project-domains.service.ts'
import * as moves from './moves/project-moves.service.ts'
import * as power from './power/power.service.ts'
import * as activity from './projects.activity.ts'
import * as environment from './projects.environment.ts'
import * as registries from './projects.registries.ts'
import * as projects from './projects.service.ts'

export const routes = (on: Bind) => {
  on(listProjects, (ctx) => projects.list(ctx))
  on(viewProject, (ctx, { params }) => projects.view(ctx, params.key))
  on(createProject, (ctx, { body }) => projects.create(ctx, body))
  on(renameProject, (ctx, { params, body }) => projects.rename(ctx, params.id, body.name))
  on(changeProjectDomain, (ctx, { params, body }) =>
    projectDomains.changePrimary(ctx, params.id, body.domain),
  )
  on(listDomains, (ctx, { params }) => projectDomains.list(ctx, params.id))
  on(createDomain, (ctx, { params, body }) => projectDomains.create(ctx, params.id, body))
  on(updateDomain, (ctx, { params, body }) =>
    projectDomains.update(ctx, params.id, params.domainId, body),
  )
  on(deleteDomain, (ctx, { params }) => projectDomains.remove(ctx, params.id, params.domainId))
  on(checkDomains, (ctx, { params }) => projectDomains.checkAll(ctx, params.id))
  on(listProjectActivity, (ctx, { params, query }) => activity.list(ctx, params.id, query))
  on(listEnvironment, (ctx, { params }) => environment.list(ctx, params.id))
  on(changeEnvironment, (ctx, { params, body }) => environment.change(ctx, params.id, body))
  on(listRegistries, (ctx, { params }) => registries.list(ctx, params.id))
  on(setRegistry, (ctx, { params, body }) => registries.set(ctx, params.id, body))
  on(deleteRegistry, (ctx, { params }) => registries.remove(ctx, params.id, params.registryId))
  on(deleteProject, (ctx, { params }) => projects.remove(ctx, params.id))
  on(changeProjectPower, (ctx, { params, body }) => power.changePower(ctx, params.id, body.power))
  on(restartProject, (ctx, { params }) => power.restart(ctx, params.id))
  on(retryProject, (ctx, { params }) => projects.retry(ctx, params.id))
  on(viewOperatorProject, (ctx, { params }) => power.viewForOperators(ctx, params.key))
  on(suspendProject, (ctx, { params, body }) => power.suspend(ctx, params.key, body))
  on(resumeProject, (ctx, { params }) => power.resume(ctx, params.key))
  on(startProjectMove, (ctx, { params, body }) => moves.start(ctx, params.key, body.cluster))
  on(getProjectMove, (ctx, { params }) => moves.view(ctx, params.key))
  on(startProjectEmpty, (ctx, { params }) => projects.recreateProjectEmpty(ctx, params.key))
}
