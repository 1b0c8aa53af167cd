import { EventEmitter, once } from 'node:events'
import { event, socketPath } from '@slipway/contract/events'
import type { Project, ProjectState } from '@slipway/contract/projects'
import type { Account } from './account.ts'

/** Hears of changed projects as the console does: an event says which, and then it is read again. */
export async function watchProjects(url: string, account: Account) {
  const address = `${url.replace(/^http/, 'ws')}/api${socketPath}?token=${account.token}`
  const socket = new WebSocket(address)
  const changes = new EventEmitter()
  socket.addEventListener('message', ({ data }) => {
    const heard = event.parse(JSON.parse(String(data)))
    if (heard.kind === 'Project') changes.emit(heard.data.projectId)
  })
  await once(socket, 'open')

  return {
    /** Resolves when the project is in this state; rejects when it failed instead. */
    async becomes({ id, key }: Project, wanted: ProjectState) {
      for (;;) {
        const changed = new Promise((resolve) => changes.once(id, resolve))
        const { state, failure } = await account.view(key)
        if (state === wanted) return void changes.removeAllListeners(id)
        if (failure !== null) throw new Error(`${key} is ${state}: ${failure}`)
        await changed
      }
    },
    close: () => socket.close(),
  }
}
