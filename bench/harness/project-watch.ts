import { EventEmitter, once } from 'node:events'
import { createSocketTicket, socketPath } from '@slipway/contract/events'
import type { Project, ProjectState } from '@slipway/contract/projects'
import { keepSocketOpen } from '../../apps/console/src/api/socket.ts'
import type { Account } from './account.ts'

/** Watches projects as the console does: an event names the project, which is then fetched. */
export async function watchProjects(url: string, account: Account) {
  const changes = new EventEmitter()
  const connection = new EventEmitter()
  const socket = keepSocketOpen({
    url: async () => {
      const { ticket } = await account.call(createSocketTicket)
      return `${url.replace(/^http/, 'ws')}/api${socketPath}?token=${ticket}`
    },
    onEvent: ({ kind, data }) => kind === 'Project' && changes.emit(data.projectId),
    onOpen: (isReconnect) => {
      // Events were missed meanwhile.
      if (isReconnect) for (const id of changes.eventNames()) changes.emit(id)
      connection.emit('open')
    },
    onState: () => undefined,
    onSessionEnd: () => undefined,
  })
  await once(connection, 'open')

  return {
    /** Waits until the project has the state; rejects if it fails. */
    async waitForState({ id, key }: Project, expected: ProjectState) {
      for (;;) {
        const changed = new Promise((resolve) => changes.once(id, resolve))
        const { state, failure } = await account.viewProject(key)
        if (state === expected) return void changes.removeAllListeners(id)
        if (failure !== null) throw new Error(`${key} is ${state}: ${failure}`)
        await changed
      }
    },
    close: () => socket.close(),
  }
}
