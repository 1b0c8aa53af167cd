import type { SiteBackupId } from '@slipway/contract/site-backups'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { isOpen, projectMoves } from '../projects/projects.schema.ts'
import { siteBackups } from '../site-backups/site-backups.schema.ts'
import { siteRestores } from '../site-restores/site-restores.schema.ts'

/** `store`: a site sends its archive. `fetch`: it reads one. */
export type Transfer = 'store' | 'fetch'

/** True while the move, backup or restore with this id is at the step that needs the transfer. */
export async function isExpected(db: Db, id: string, transfer: Transfer): Promise<boolean> {
  const step = transfer === 'store' ? 'export' : 'import'
  const moves = await db.$count(
    projectMoves,
    and(eq(projectMoves.id, id), eq(projectMoves.step, step), isOpen(projectMoves)),
  )
  if (moves > 0) return true
  const others =
    transfer === 'store'
      ? db.$count(
          siteBackups,
          and(eq(siteBackups.id, id as SiteBackupId), eq(siteBackups.state, 'creating')),
        )
      : db.$count(
          siteRestores,
          and(eq(siteRestores.id, id), inArray(siteRestores.step, ['import', 'undo'])),
        )
  return (await others) > 0
}
