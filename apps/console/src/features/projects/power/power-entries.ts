import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import CircleStop from 'lucide-react/icons/circle-stop'
import Play from 'lucide-react/icons/play'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { causesRedirect } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error-message.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import type { MenuAction } from '../../../ui/menu/menu.tsx'

/** The menu's actions that start, restart and stop the site of a project; none while suspended. */
export function usePowerEntries(project: Project, onStop: () => void): MenuAction[] {
  const queryClient = useQueryClient()
  const run = (name: 'restartProject' | 'startProject') => () =>
    void import('./change-power.ts')
      .then((change) => change[name](queryClient, project))
      .catch((error) => {
        if (!causesRedirect(error)) showToast('failure', errorMessage(error))
      })
  switch (project.power) {
    case 'running':
      return [
        {
          kind: 'action',
          label: m.projects_restart(),
          icon: RotateCw,
          onSelect: run('restartProject'),
        },
        { kind: 'action', label: m.projects_stop(), icon: CircleStop, onSelect: onStop },
      ]
    case 'stopped':
      return [
        {
          kind: 'action',
          label: m.projects_start(),
          icon: Play,
          onSelect: run('startProject'),
        },
      ]
    case 'suspended':
      return []
  }
}
