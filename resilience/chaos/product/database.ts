import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../../apps/server/src/db/connect.ts'
import { startEmbeddedPostgres } from '../../../apps/server/src/db/embedded.ts'
import { migrate } from '../../../apps/server/src/db/migrate.ts'
import { findPostmaster } from '../../../apps/server/src/db/postmaster.ts'
import { childrenOf } from '../../../bench/harness/process-memory.ts'

const silent = { info: () => undefined, warn: () => undefined }

/** A PostgreSQL that can be stopped, killed and paused. It is restarted within a second. */
export async function startDatabase(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
  await migrate(postgres.connection)
  // Connections break on purpose.
  const { db, pool, close } = connect(postgres.connection, {
    connections: 4,
    // The timeouts of calls are too short for a busy machine.
    forJobs: true,
    onError: () => undefined,
  })
  const postmaster = () => findPostmaster(join(dataDir, 'database'))

  /** Sends a signal to the server; to its backends too, which SIGSTOP and SIGCONT need. */
  function signal(name: NodeJS.Signals, withBackends = false) {
    const running = postmaster()
    if (!running) return
    for (const pid of withBackends ? childrenOf(running.pid) : []) tryToKill(pid, name)
    tryToKill(running.pid, name)
  }

  return {
    db,
    pool,
    url: postgres.url,
    /**
     * Stops the server: `SIGINT` aborts statements, `SIGQUIT` and `SIGKILL` need crash recovery.
     */
    stopServer: (name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') => signal(name),

    /** Suspends the server for this time; its connections stay open. */
    async pause(milliseconds: number) {
      signal('SIGSTOP', true)
      try {
        await sleep(milliseconds)
      } finally {
        signal('SIGCONT', true)
      }
    },

    /** Ends all connections but this one. */
    endConnections: () =>
      pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      ),

    async stop() {
      await close()
      await postgres.stop()
    },
  }
}

function tryToKill(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch (error) {
    // The process has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
