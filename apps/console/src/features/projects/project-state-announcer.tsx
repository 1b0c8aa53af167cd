import {
  type Project,
  type ProjectId,
  type ShownState,
  shownState,
} from '@slipway/contract/projects'
import { formatList, getLocale, m } from '@slipway/phrases'
import { useEffect, useRef, useState } from 'react'
import { hasToastAbout } from '../../shell/toasts/toasts.ts'
import { projectStates } from './project-states.ts'

/** Announces state changes of projects to screen readers. */
export function ProjectStateAnnouncer({ projects }: { projects: readonly Project[] | undefined }) {
  const announced = useRef(new Map<ProjectId, ShownState>())
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    const changed = (projects ?? []).filter((project) => {
      const { id } = project
      const state = shownState(project)
      const previousState = announced.current.get(id)
      announced.current.set(id, state)
      // Toasts are announced already.
      return previousState !== undefined && previousState !== state && !hasToastAbout(id)
    })
    if (changed.length > 0)
      setAnnouncement(
        formatList(
          changed.map((project) =>
            m.projects_state_announcement({
              name: project.name,
              state: projectStates[shownState(project)].label(),
            }),
          ),
          getLocale(),
          'narrow',
        ),
      )
  }, [projects])

  return (
    <span role="status" className="sr-only">
      {announcement}
    </span>
  )
}
