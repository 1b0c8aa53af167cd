import { createHmac } from 'node:crypto'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context } from '../../context.ts'
import type { Instance } from '../../engines/hosting/engine.ts'
import * as secrets from '../secrets/secrets.service.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * The client secret of a project's site, 256 bits in base64url. Derived from a key that all servers
 * share (RFC 5869's expand step with one block), so that it can be handed to the site again at any
 * time and is stored nowhere.
 */
export async function clientSecret(ctx: Ctx, projectId: ProjectId): Promise<string> {
  const key = await secrets.sharedKey(ctx, 'site-clients')
  return createHmac('sha256', key).update(`client secret ${projectId}\x01`).digest('base64url')
}

/** What a site needs to sign people in through us; its client id is the project's key. */
export async function signIn(
  ctx: Ctx & Pick<Context, 'env'>,
  project: { id: ProjectId; key: string },
): Promise<Instance['signIn']> {
  return {
    issuer: ctx.env.PUBLIC_URL,
    clientId: project.key,
    clientSecret: await clientSecret(ctx, project.id),
  }
}
