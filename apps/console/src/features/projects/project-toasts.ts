import type { Project, ProjectState } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { projectQuery } from '../../api/queries.ts'
import { currentToasts, showToast, subscribeToToasts } from '../../shell/toasts/toasts.ts'
import type { AlertKind } from '../../ui/alert.tsx'

type Told = { kind: AlertKind; title: (inputs: { name: string }) => string }

/** What can begin with a project, and how each may end. */
const beginnings = {
  creation: { kind: 'success', title: m.projects_created_toast },
  retry: { kind: 'info', title: m.projects_retried_toast },
  deletion: { kind: 'success', title: m.projects_deleting_toast },
} satisfies Record<string, Told>

const endings: Partial<Record<ProjectState, Told>> = {
  ready: { kind: 'success', title: m.projects_ready_toast },
  failed_creating: { kind: 'failure', title: m.projects_failed_toast },
  deleted: { kind: 'success', title: m.projects_deleted_toast },
}

/**
 * Says what has begun with a project, and in the same toast how it ended, if that is known while the toast
 * shows: wherever its user has gone by then, it never says what is true no more. `project` is as the call
 * that began it answered, and is held by the queries already.
 */
export function tellOfProject(
  queryClient: QueryClient,
  begun: keyof typeof beginnings,
  project: Project,
) {
  const show = ({ kind, title }: Told, name: string) => showToast(kind, title({ name }), project.id)
  const id = show(beginnings[begun], project.name)

  const observer = new QueryObserver(queryClient, projectQuery(project.key))
  const stopLooking = observer.subscribe(({ data }) => look(data))
  const stopListening = subscribeToToasts(() => {
    if (!currentToasts().some((toast) => toast.id === id)) stop()
  })
  function stop() {
    stopLooking()
    stopListening()
  }
  function look(seen: Project | undefined) {
    // An answer that is older than what began says how it was before.
    if (!seen || seen.updatedAt < project.updatedAt) return
    const ended = endings[seen.state]
    if (!ended) return
    stop()
    show(ended, seen.name)
  }
  look(observer.getCurrentResult().data)
}
