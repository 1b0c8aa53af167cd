import type { ProjectId } from '@slipway/contract/projects'
import type { Context } from '../../../context.ts'
import { PictureError } from '../../../engines/hosting/engine.ts'
import * as sitePictures from '../../site-pictures/site-pictures.service.ts'
import { instanceOf } from '../projects.instance.ts'
import { isVisible } from '../projects.policy.ts'
import * as projects from '../projects.service.ts'
import * as store from '../projects.store.ts'

/**
 * Takes the picture of a site and publishes it. Does nothing for a site that does not run, that
 * sleeps unless `wake` is true, or whose picture is fresh. Returns false if the picture fails: the
 * earlier one stays.
 */
export async function takePicture(ctx: Context, id: ProjectId, wake: boolean): Promise<boolean> {
  const project = await store.findForReconciler(ctx.db, id)
  // Another picture follows once the newest version is applied.
  if (!project || !isVisible(project) || project.appliedGeneration < project.generation) return true
  if (await sitePictures.isFresh(ctx, project)) return true
  const { generation } = project
  const [observed] = await ctx.engine.list([project])
  if (observed?.asleep && !wake) return true
  await ctx.engine.wake(project)
  const picture = await attempt(ctx, project)
  if (picture === 'failed') return false
  if (picture === null) return true
  await ctx.write(async (tx) => {
    // Locked: it may be deleted or suspended meanwhile.
    const current = await store.lock(tx, id)
    if (!current || !isVisible(current)) return
    await sitePictures.save(ctx, tx, id, { ...picture, generation })
    await projects.publishChange(tx, id)
  })
  return true
}

async function attempt(ctx: Context, project: store.Project) {
  try {
    return await ctx.engine.takePicture(await instanceOf(ctx, project))
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    ctx.log.info({ key: project.key, reason: error.message }, 'a picture of a site failed')
    return 'failed'
  }
}
