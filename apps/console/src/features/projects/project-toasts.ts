import type { Project, ProjectState } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { projectQuery } from '../../api/queries.ts'
import { currentToasts, showToast, subscribeToToasts } from '../../shell/toasts/toasts.ts'
import type { AlertKind } from '../../ui/alert.tsx'

type ProjectToast = { kind: AlertKind; title: (inputs: { name: string }) => string }

/** The toasts for the start of an action, and for its outcome. */
const startToasts = {
  creation: { kind: 'success', title: m.projects_created_toast },
  retry: { kind: 'info', title: m.projects_retried_toast },
  start: { kind: 'info', title: m.projects_starting_toast },
  restart: { kind: 'info', title: m.projects_restarting_toast },
  deletion: { kind: 'success', title: m.projects_deleting_toast },
} satisfies Record<string, ProjectToast>

const endToasts: Partial<Record<ProjectState, ProjectToast>> = {
  ready: { kind: 'success', title: m.projects_ready_toast },
  failed_creating: { kind: 'failure', title: m.projects_failed_toast },
  deleted: { kind: 'success', title: m.projects_deleted_toast },
}

/**
 * Shows a toast that an action has started, and replaces it with the outcome if that arrives while
 * the toast is visible, on any page. `project` comes from the action's response and is in the
 * query cache.
 */
export function showProjectToast(
  queryClient: QueryClient,
  action: keyof typeof startToasts,
  project: Project,
) {
  const show = ({ kind, title }: ProjectToast, name: string) =>
    showToast(kind, title({ name }), project.id)
  const id = show(startToasts[action], project.name)

  const observer = new QueryObserver(queryClient, projectQuery(project.key))
  const unobserve = observer.subscribe(({ data }) => onProject(data))
  const unsubscribe = subscribeToToasts(() => {
    if (!currentToasts().some((toast) => toast.id === id)) stop()
  })
  function stop() {
    unobserve()
    unsubscribe()
  }
  function onProject(updated: Project | undefined) {
    // Older than the response: the state before the action.
    if (!updated || updated.updatedAt < project.updatedAt) return
    const toast = endToasts[updated.state]
    if (!toast) return
    stop()
    show(toast, updated.name)
  }
  onProject(observer.getCurrentResult().data)
}
