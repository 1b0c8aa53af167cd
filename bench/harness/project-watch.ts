import { EventEmitter, once } from 'node:events'
import { createSocketTicket, event, socketPath } from '@slipway/contract/events'
import type { Project, ProjectState } from '@slipway/contract/projects'
import type { Account } from './account.ts'

/** Watches projects as the console does: an event names the project, which is then fetched. */
export async function watchProjects(url: string, account: Account) {
  const { ticket } = await account.call(createSocketTicket)
  const address = `${url.replace(/^http/, 'ws')}/api${socketPath}?token=${ticket}`
  const socket = new WebSocket(address)
  const changes = new EventEmitter()
  socket.addEventListener('message', ({ data }) => {
    const received = event.parse(JSON.parse(String(data)))
    if (received.kind === 'Project') changes.emit(received.data.projectId)
  })
  await once(socket, 'open')

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
