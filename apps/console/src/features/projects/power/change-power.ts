import {
  changeProjectPower,
  type Project,
  restartProject as restartProjectEndpoint,
} from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { cacheProject } from '../project-queries.ts'
import { showProjectToast } from '../project-toasts.ts'

const setPower = (id: Project['id'], power: 'running' | 'stopped') =>
  call(changeProjectPower, { params: { id }, body: { power } })

export async function stopProject(queryClient: QueryClient, { id }: Project) {
  const stopped = await setPower(id, 'stopped')
  cacheProject(queryClient, stopped)
  showToast('success', m.projects_stopped_toast({ name: stopped.name }), id)
}

export async function startProject(queryClient: QueryClient, { id }: Project) {
  const starting = await setPower(id, 'running')
  cacheProject(queryClient, starting)
  showProjectToast(queryClient, 'start', starting)
}

export async function restartProject(queryClient: QueryClient, { id }: Project) {
  const restarting = await call(restartProjectEndpoint, { params: { id } })
  cacheProject(queryClient, restarting)
  showProjectToast(queryClient, 'restart', restarting)
}
